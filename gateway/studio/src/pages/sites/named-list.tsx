import { ArrowDown, ArrowUp, X } from 'lucide-react';
import { type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { IconButton } from '../../components/icon-button.tsx';
import type { Option } from '../../components/option-list.tsx';
import { plainText } from '../../components/quoted-parts.ts';
import { SearchSelect } from '../../components/search-select.tsx';
import { ShownParts } from '../../components/shown-parts.tsx';
import { sections, inputs as texts } from '../../texts/pages.ts';
import group from './field-group.module.css';
import styles from './named-list.module.css';

type NamedListProps = {
  label: string;
  hint?: ReactNode;
  value: readonly string[];
  onChange: (value: string[]) => void;
  nameOf: (value: string) => string;
  options: readonly Option[] | undefined;
  onSearch: (text: string) => void;
  /** Their order says something. */
  isOrdered?: boolean;
};

/** What an entry names of many, such as its topics: each can be taken out, and others are found by searching. */
export function NamedList({ label, hint, value, onChange, nameOf, options, onSearch, isOrdered }: NamedListProps) {
  const search = useRef<HTMLInputElement>(null);
  const id = useId();
  const [said, setSaid] = useState('');
  // A button that was pressed may be gone, or be another one's.
  const focus = useRef<string>(undefined);
  const buttonOf = (one: string | undefined, does: 'up' | 'down' | 'remove') => `${id} ${does} ${one}`;
  useEffect(() => {
    if (focus.current === undefined) return;
    (document.getElementById(focus.current) ?? search.current)?.focus();
    focus.current = undefined;
  });
  const move = (index: number, to: number) => {
    const one = value[index]!;
    const others = value.filter((other) => other !== one);
    const isEnd = to === 0 || to === others.length;
    focus.current = buttonOf(one, to < index !== isEnd ? 'up' : 'down');
    setSaid(sections.moved(plainText(nameOf(one)), to + 1, value.length));
    onChange([...others.slice(0, to), one, ...others.slice(to)]);
  };
  const remove = (index: number) => {
    const others = value.filter((_, at) => at !== index);
    focus.current = buttonOf(others[index] ?? others.at(-1), 'remove');
    onChange(others);
  };
  return (
    <fieldset className={`${group.list} ${styles.list}`}>
      <legend>{label}</legend>
      {value.length > 0 && (
        <ol className={styles.names} aria-label={label}>
          {value.map((one, index) => {
            const name = plainText(nameOf(one));
            return (
              <li key={one}>
                <ShownParts text={nameOf(one)} />
                {isOrdered && (
                  <>
                    <IconButton
                      id={buttonOf(one, 'up')}
                      icon={ArrowUp}
                      label={texts.up(name)}
                      isDisabled={index === 0}
                      onPress={() => move(index, index - 1)}
                    />
                    <IconButton
                      id={buttonOf(one, 'down')}
                      icon={ArrowDown}
                      label={texts.down(name)}
                      isDisabled={index === value.length - 1}
                      onPress={() => move(index, index + 1)}
                    />
                  </>
                )}
                <IconButton
                  id={buttonOf(one, 'remove')}
                  icon={X}
                  label={texts.remove(name)}
                  onPress={() => remove(index)}
                />
              </li>
            );
          })}
        </ol>
      )}
      <p className="visually-hidden" role="status">
        {said}
      </p>
      <SearchSelect
        label={texts.addTo(label)}
        hint={hint}
        options={options?.filter((option) => !value.includes(option.value))}
        onChoose={(one) => onChange([...value, one])}
        onSearch={onSearch}
        inputRef={search}
      />
    </fieldset>
  );
}
