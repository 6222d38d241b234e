import { useQuery } from '@tanstack/react-query';
import { ListFilter, X } from 'lucide-react';
import { useState } from 'react';
import { type Filter, filterNames } from '../../api/activity.ts';
import { keysQuery } from '../../api/agents.ts';
import { peopleQuery } from '../../api/people.ts';
import { sitesQuery } from '../../api/sites.ts';
import { Button } from '../../components/button.tsx';
import { Select } from '../../components/select.tsx';
import { TextField } from '../../components/text-field.tsx';
import { filters as texts } from '../../texts/activity.ts';
import styles from './filters.module.css';

type FiltersProps = { filter: Filter; onChange: (change: Filter) => void };
type Name = keyof Filter;
type Options = readonly (readonly [value: string, label: string])[];

/** What one looks for. Two of them are always there; the others when one asks for them. */
export function Filters({ filter, onChange }: FiltersProps) {
  const set = Object.values(filter).filter(Boolean).length;
  const hidden = set - (filter.kind ? 1 : 0) - (filter.time ? 1 : 0);
  const [isOpen, setOpen] = useState(hidden > 0);
  const clear = () => onChange(Object.fromEntries(filterNames.map((name) => [name, ''])));
  return (
    <section className={styles.filters} aria-label={texts.title}>
      <div className={styles.bar}>
        <Pick name="kind" label={texts.kind} options={Object.entries(texts.kinds)} {...{ filter, onChange }} />
        <Pick name="time" label={texts.time} options={Object.entries(texts.times)} {...{ filter, onChange }} />
        <div className={styles.buttons}>
          <Button aria-expanded={isOpen} onPress={() => setOpen(!isOpen)}>
            <ListFilter aria-hidden="true" />
            {texts.open(hidden)}
          </Button>
          {set > 0 && (
            <Button look="quiet" onPress={clear}>
              <X aria-hidden="true" />
              {texts.clear}
            </Button>
          )}
        </div>
      </div>
      {isOpen && <MoreFilters filter={filter} onChange={onChange} />}
    </section>
  );
}

function MoreFilters({ filter, onChange }: FiltersProps) {
  const { data: keys = [] } = useQuery(keysQuery);
  const { data: people = [] } = useQuery(peopleQuery);
  const { data: sites = [] } = useQuery(sitesQuery);
  const agents: Options = keys.map(({ id, name }) => [`agent:${id}`, short(name)]);
  const persons: Options = people.map(({ id, name }) => [id === 'local' ? id : `person:${id}`, short(name)]);
  const places: Options = [
    ...sites.map(({ id, title }) => [id, short(title)] as const),
    ['_deployment', texts.deployment],
  ];
  const common = { filter, onChange };
  return (
    <div className={styles.more}>
      <Pick name="actor" label={texts.actor} options={agents} {...common} />
      <Pick name="person" label={texts.person} options={persons} {...common} />
      <Pick name="site" label={texts.site} options={places} {...common} />
      <Pick name="decision" label={texts.decision} options={Object.entries(texts.decisions)} {...common} />
      <Pick name="outcome" label={texts.outcome} options={Object.entries(texts.outcomes)} {...common} />
      <Type name="tool" label={texts.tool} hint={texts.toolHint} {...common} />
      <Type name="skill" label={texts.skill} {...common} />
      <Type name="snapshot" label={texts.snapshot} {...common} />
    </div>
  );
}

function Pick({
  name,
  label,
  options,
  filter,
  onChange,
}: FiltersProps & { name: Name; label: string; options: Options }) {
  const value = filter[name] ?? '';
  // A link may name what is not, or no longer, in the list.
  const known = value === '' || options.some(([option]) => option === value);
  const all = [['any', texts.any] as const, ...options, ...(known ? [] : [[value, short(value)] as const])];
  return (
    <Select
      label={label}
      value={value || 'any'}
      onChange={(chosen) => onChange({ [name]: chosen === 'any' ? '' : chosen })}
      options={all.map(([option, text]) => ({ value: option, label: text }))}
    />
  );
}

/** Looks once the person is done with it: with Enter, or by leaving it. */
function Type({ name, label, hint, filter, onChange }: FiltersProps & { name: Name; label: string; hint?: string }) {
  const value = filter[name] ?? '';
  const [text, setText] = useState(value);
  const apply = () => text.trim() !== value && onChange({ [name]: text.trim() });
  return (
    <TextField
      label={label}
      placeholder={hint ?? ''}
      value={text}
      onChange={setText}
      onBlur={apply}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
      maxLength={200}
      autoComplete="off"
    />
  );
}

/** Names that others gave: one line, and nothing in it that hides. */
function short(name: string): string {
  const plain = name.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '�');
  return plain.length > 50 ? `${plain.slice(0, 50)}…` : plain;
}
