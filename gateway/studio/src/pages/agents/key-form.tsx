import { hasScope, type Role, roleMode, roleScopes, type Scopes } from '@cloudhal/shared/policy';
import { toolsets as allToolsets, type Toolset } from '@cloudhal/shared/tool';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { type KeyWish, wishedOutcomesQuery } from '../../api/agents.ts';
import { sitesQuery } from '../../api/sites.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Choice } from '../../components/choice.tsx';
import { Form } from '../../components/form.tsx';
import { Section } from '../../components/section.tsx';
import { Select } from '../../components/select.tsx';
import { ShownParts } from '../../components/shown-parts.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { TextField } from '../../components/text-field.tsx';
import { outcomes, keyForm as texts, toolsetNames } from '../../texts/agents.ts';
import styles from './key-form.module.css';
import { ModePicker } from './mode-picker.tsx';
import { OutcomeSums, Outcomes } from './outcomes.tsx';
import { ScopePicker } from './scope-picker.tsx';
import { Warnings } from './warnings.tsx';

/** `expiresInDays` is absent where a key keeps the day that it ends on. */
export type Draft = Required<Omit<KeyWish, 'expiresInDays'>> & { expiresInDays?: number };

type KeyFormProps = {
  start: Draft;
  /** Whose rights bound the key's. */
  role: Role;
  action: string;
  /** A key that exists may keep its end. */
  canKeepExpiry?: boolean;
  onSend: (draft: Draft) => Promise<unknown>;
};

/** In days. */
export const lifetimes = [7, 30, 90, 180, 365];
const rates = [5, 10, 20, 30, 60];

/** Everything that a person says about a key, beside what policy makes of it. */
export function KeyForm({ start, role, action, canKeepExpiry = false, onSend }: KeyFormProps) {
  const [draft, setDraft] = useState(start);
  const [tried, setTried] = useState(false);
  const set = (change: Partial<Draft>) => setDraft((before) => ({ ...before, ...change }));
  const { mode, scopes, sites, toolsets, ratePerMinute, expiresInDays } = draft;
  const nothing = scopes !== '*' && scopes.length === 0;
  const noSite = sites !== '*' && sites.length === 0;
  const warns = hasScope(scopes, 'comments:read') && hasScope(scopes, 'publish');
  return (
    <Form
      onSend={async ({ name = '' }) => {
        setTried(true);
        if (!nothing && !noSite) await onSend({ ...draft, name });
      }}
    >
      {({ isSending }) => (
        <div className={styles.columns}>
          <div className={styles.fields}>
            <TextField
              label={texts.name}
              hint={texts.nameHint}
              name="name"
              defaultValue={start.name}
              maxLength={100}
              isRequired
              autoComplete="off"
            />
            <Section title={texts.mode} {...(role !== 'owner' && role !== 'editor' && { text: texts.modeOwn })}>
              <ModePicker value={mode} onChange={(chosen) => set({ mode: chosen })} most={roleMode[role]} />
            </Section>
            <Section title={texts.reach}>
              <ScopePicker value={scopes} onChange={(chosen) => set({ scopes: chosen })} held={roleScopes[role]} />
              {tried && nothing && <Wrong>{texts.nothingChosen}</Wrong>}
              {warns && <Warnings warnings={[texts.strangers]} />}
            </Section>
            <Section title={texts.sites}>
              <SitePicker value={sites} onChange={(chosen) => set({ sites: chosen })} />
              {tried && noSite && <Wrong>{texts.noSite}</Wrong>}
            </Section>
            <Section title={texts.more}>
              <div className={styles.pair}>
                <Select
                  label={texts.expiry}
                  value={expiresInDays === undefined ? 'keep' : String(expiresInDays)}
                  onChange={(chosen) =>
                    setDraft(({ expiresInDays: _, ...others }) =>
                      chosen === 'keep' ? others : { ...others, expiresInDays: Number(chosen) },
                    )
                  }
                  options={[
                    ...(canKeepExpiry ? [{ value: 'keep', label: texts.expiryKeep }] : []),
                    ...lifetimes.map((days) => ({ value: String(days), label: texts.days(days) })),
                  ]}
                />
                <Select
                  label={texts.rate}
                  value={ratePerMinute === null ? 'default' : String(ratePerMinute)}
                  onChange={(chosen) => set({ ratePerMinute: chosen === 'default' ? null : Number(chosen) })}
                  options={[
                    { value: 'default', label: texts.rateDefault },
                    ...ratesWith(ratePerMinute).map((rate) => ({ value: String(rate), label: texts.rateOf(rate) })),
                  ]}
                />
              </div>
              <ToolsetPicker value={toolsets} onChange={(chosen) => set({ toolsets: chosen })} />
            </Section>
          </div>
          <aside className={styles.aside}>
            <h2>{outcomes.wouldTitle}</h2>
            {nothing || noSite ? (
              <p className={styles.hint}>{outcomes.none}</p>
            ) : (
              <Would wish={{ mode, scopes, sites }} />
            )}
          </aside>
          <div className={styles.send}>
            <Button type="submit" look="primary" isPending={isSending}>
              {action}
            </Button>
          </div>
        </div>
      )}
    </Form>
  );
}

/** What policy makes of the choices so far. */
function Would({ wish }: { wish: { mode: Draft['mode']; scopes: Scopes; sites: Draft['sites'] } }) {
  const { data } = useQuery(wishedOutcomesQuery(wish));
  if (data === undefined) return <Skeleton rows={1} height="7.5rem" />;
  return (
    <>
      <OutcomeSums outcomes={data} />
      <p className={styles.hint}>{outcomes.wouldText}</p>
      <details className={styles.each}>
        <summary>{outcomes.see}</summary>
        <Outcomes outcomes={data} />
      </details>
    </>
  );
}

function SitePicker({ value, onChange }: { value: string[] | '*'; onChange: (value: string[] | '*') => void }) {
  const { data: sites = [] } = useQuery(sitesQuery);
  return (
    <>
      <Choice
        label={texts.sites}
        value={value === '*' ? 'all' : 'some'}
        onChange={(chosen) => onChange(chosen === 'all' ? '*' : [])}
        options={[
          { value: 'all', label: texts.allSites },
          { value: 'some', label: texts.someSites },
        ]}
      />
      {value !== '*' && (
        <div className={styles.choices}>
          {sites.map(({ id, title }) => (
            <Checkbox
              key={id}
              isSelected={value.includes(id)}
              onChange={(isChosen) => onChange(isChosen ? [...value, id] : value.filter((one) => one !== id))}
            >
              <ShownParts text={title} />
            </Checkbox>
          ))}
        </div>
      )}
    </>
  );
}

function ToolsetPicker({ value, onChange }: { value: Toolset[]; onChange: (value: Toolset[]) => void }) {
  return (
    <fieldset className={styles.toolsets}>
      <legend>{texts.toolsets}</legend>
      <p className={styles.hint}>{texts.toolsetsHint}</p>
      <div className={styles.choices}>
        {allToolsets.map((toolset) => (
          <Checkbox
            key={toolset}
            isSelected={value.includes(toolset)}
            onChange={(isChosen) => onChange(isChosen ? [...value, toolset] : value.filter((one) => one !== toolset))}
          >
            {toolsetNames[toolset]}
          </Checkbox>
        ))}
      </div>
    </fieldset>
  );
}

function Wrong({ children }: { children: ReactNode }) {
  return (
    <p className={styles.wrong} role="alert">
      {children}
    </p>
  );
}

/** Also one that was set elsewhere, and is not among the usual ones. */
function ratesWith(rate: number | null): number[] {
  return rate === null || rates.includes(rate) ? rates : [...rates, rate].sort((a, b) => a - b);
}
