import { useMutation, useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { changeSiteRules, type SiteRules, siteRulesQuery } from '../../api/sites.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Choice } from '../../components/choice.tsx';
import { Notice } from '../../components/notice.tsx';
import { Problem } from '../../components/problem.tsx';
import { Select } from '../../components/select.tsx';
import { TextField } from '../../components/text-field.tsx';
import { rules as texts } from '../../texts/sites.ts';
import { useIsOwner } from './may.ts';
import styles from './rules.module.css';
import { WindowFields } from './window-fields.tsx';

type Window = NonNullable<SiteRules['publishingWindow']>;
const workdays: Omit<Window, 'timeZone'> = { days: [1, 2, 3, 4, 5], from: '08:00', to: '18:00' };
const attestations = ['off', 'always-person', 'all'] as const;

/** What agents may do by themselves on a site. Owners change it; everybody else reads it. */
export function Rules() {
  const { site = '' } = useParams();
  const { data: rules } = useSuspenseQuery(siteRulesQuery(site));
  return <RulesForm key={site} site={site} rules={rules} />;
}

function RulesForm({ site, rules }: { site: string; rules: SiteRules }) {
  const client = useQueryClient();
  const isOwner = useIsOwner();
  const [next, setNext] = useState(rules);
  const set = (change: Partial<SiteRules>) => setNext((before) => ({ ...before, ...change }));
  const saving = useMutation({
    mutationFn: () => changeSiteRules(site, { ...next, publishingWindow: next.publishingWindow ?? null }),
    onSuccess: ({ rules: saved }) => client.setQueryData(siteRulesQuery(site).queryKey, saved),
  });
  const { publishingWindow: window, ...others } = next;
  const setWindow = (wanted: Window | undefined) => setNext({ ...others, ...(wanted && { publishingWindow: wanted }) });
  const hasNoDay = window?.days.length === 0;
  const isSame = JSON.stringify(next) === JSON.stringify(rules);
  return (
    <form
      className={styles.rules}
      onSubmit={(event) => {
        event.preventDefault();
        if (!hasNoDay && !isSame) saving.mutate();
      }}
    >
      <p className={styles.lead}>{isOwner ? texts.lead : `${texts.lead} ${texts.ownerOnly}`}</p>
      <fieldset className={styles.plain} disabled={!isOwner}>
        <section className={styles.rule}>
          <h2>{texts.window}</h2>
          <p>{texts.windowText}</p>
          {isOwner && (
            <Choice
              label={texts.window}
              value={window ? 'hours' : 'always'}
              onChange={(value) => setWindow(value === 'hours' ? { timeZone: ownZone(), ...workdays } : undefined)}
              options={[
                { value: 'always', label: texts.always },
                { value: 'hours', label: texts.hours },
              ]}
            />
          )}
          {!isOwner && !window && <p>{texts.always}</p>}
          {window && <WindowFields window={window} isDisabled={!isOwner} onChange={setWindow} />}
          {hasNoDay && <Notice tone="warn">{texts.noDay}</Notice>}
        </section>
        <section className={styles.rule}>
          <TextField
            label={texts.small}
            hint={texts.smallText}
            type="number"
            inputMode="numeric"
            isDisabled={!isOwner}
            value={String(next.smallPublishNodes)}
            onChange={(text) => set({ smallPublishNodes: wholeNumber(text) })}
          />
          <Select
            label={texts.attested}
            isDisabled={!isOwner}
            value={next.personAttested}
            onChange={(personAttested) => set({ personAttested })}
            options={attestations.map((value) => ({ value, ...texts.attestedOptions[value] }))}
          />
          <Checkbox
            isDisabled={!isOwner}
            isSelected={next.confirmTokenFallback}
            onChange={(confirmTokenFallback) => set({ confirmTokenFallback })}
            hint={texts.tokenHint}
          >
            {texts.token}
          </Checkbox>
          <Checkbox
            isDisabled={!isOwner}
            isSelected={next.fourEyes}
            onChange={(fourEyes) => set({ fourEyes })}
            hint={texts.fourHint}
          >
            {texts.four}
          </Checkbox>
          <TextField
            label={texts.taint}
            hint={texts.taintHint}
            type="number"
            inputMode="numeric"
            isDisabled={!isOwner}
            value={String(next.taintMinutes)}
            onChange={(text) => set({ taintMinutes: wholeNumber(text) })}
          />
        </section>
      </fieldset>
      {saving.isSuccess && isSame && <Notice>{texts.saved}</Notice>}
      {saving.error && <Problem error={saving.error} />}
      {isOwner && (
        <Button type="submit" look="primary" isPending={saving.isPending} isDisabled={isSame || hasNoDay}>
          {texts.save}
        </Button>
      )}
    </form>
  );
}

function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function wholeNumber(text: string): number {
  return Math.max(0, Math.trunc(Number(text) || 0));
}
