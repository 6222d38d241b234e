import { type Role, roles } from '@cloudhal/shared/policy';
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { type Invited, invite } from '../../api/people.ts';
import { Button } from '../../components/button.tsx';
import { CopyField } from '../../components/copy-field.tsx';
import { Dialog, DialogActions } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { Select } from '../../components/select.tsx';
import { TextField } from '../../components/text-field.tsx';
import { texts as all } from '../../texts/index.ts';
import { people } from '../../texts/people.ts';

/** Makes a one-time link, and shows it once. */
export function InviteDialog({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const [role, setRole] = useState<Role>('editor');
  const [invited, setInvited] = useState<Invited>();
  if (invited) {
    const { title, text, mailed, link } = people.invited;
    return (
      <Dialog title={title} isOpen isDecision onClose={onClose}>
        <p>
          {text} {invited.mailed && mailed}
        </p>
        <CopyField label={link} text={invited.url} />
        <DialogActions>
          <Button look="primary" onPress={onClose}>
            {all.common.close}
          </Button>
        </DialogActions>
      </Dialog>
    );
  }
  const texts = people.inviteDialog;
  return (
    <Dialog title={texts.title} isOpen onClose={onClose}>
      <p>{texts.text}</p>
      <Form
        onSend={async ({ email = '' }) => {
          setInvited(await invite(role, email));
          await client.invalidateQueries({ queryKey: ['people', 'invitations'] });
        }}
      >
        {({ isSending }) => (
          <>
            <Select
              label={texts.role}
              value={role}
              onChange={setRole}
              options={roles.map((one) => ({
                value: one,
                label: people.roles[one].name,
                hint: people.roles[one].text,
              }))}
            />
            <TextField label={texts.email} hint={texts.emailHint} name="email" type="email" maxLength={254} />
            <FormActions isSending={isSending} onCancel={onClose}>
              {texts.action}
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}
