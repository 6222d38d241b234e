import { modes as allModes, type Mode } from '@cloudhal/shared/policy';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Elevation, grant } from '../../api/elevations.ts';
import { Button } from '../../components/button.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Problem } from '../../components/problem.tsx';
import { Select } from '../../components/select.tsx';
import { elevations } from '../../texts/approvals.ts';
import { modes } from '../../texts/changes.ts';
import { texts as all } from '../../texts/index.ts';

const lengths = [5, 15, 30, 60, 120, 240, 480, 1440];

/** Grants what was asked for, or less of it. */
export function GrantDialog({ elevation, onClose }: { elevation: Elevation; onClose: () => void }) {
  const texts = elevations.dialog;
  const client = useQueryClient();
  const [mode, setMode] = useState(elevation.mode as Mode);
  const [minutes, setMinutes] = useState(String(elevation.minutes));
  const granting = useMutation({
    mutationFn: () => grant(elevation.id, { mode, minutes: Number(minutes) }),
    onSuccess: onClose,
    onSettled: () => client.invalidateQueries({ queryKey: ['elevations'] }),
  });
  const asAsked = (text: string, isAsked: boolean) => (isAsked ? `${text} (${texts.asAsked})` : text);
  const [own, most] = [elevation.principal.mode, elevation.mode].map((one) => allModes.indexOf(one as Mode));
  const more = allModes.slice(own! + 1, most! + 1);
  const shorter = [...lengths.filter((length) => length < elevation.minutes), elevation.minutes];
  return (
    <Dialog title={texts.title} isOpen isDecision onClose={onClose}>
      <p>{texts.text}</p>
      <Select
        label={texts.mode}
        value={mode}
        onChange={setMode}
        options={more.map((one) => ({
          value: one,
          label: asAsked(modes[one].name, one === elevation.mode),
          hint: modes[one].text,
        }))}
      />
      <Select
        label={texts.minutes}
        value={minutes}
        onChange={setMinutes}
        options={shorter.map((length) => ({
          value: String(length),
          label: asAsked(elevations.duration(length), length === elevation.minutes),
        }))}
      />
      {granting.error && <Problem error={granting.error} />}
      <DialogActions>
        <Button onPress={onClose}>{all.common.cancel}</Button>
        <Button look="primary" isPending={granting.isPending} onPress={() => granting.mutate()}>
          {texts.action}
        </Button>
      </DialogActions>
    </Dialog>
  );
}
