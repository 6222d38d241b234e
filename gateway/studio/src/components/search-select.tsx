import { ChevronDown } from 'lucide-react';
import { type ReactNode, type Ref, useEffect, useState } from 'react';
import { Button, ComboBox, Input, type Key, Label, Text } from 'react-aria-components';
import { texts } from '../texts/index.ts';
import field from './field.module.css';
import { type Option, OptionList } from './option-list.tsx';
import styles from './search-select.module.css';

type SearchSelectProps = {
  label: string;
  hint?: ReactNode;
  /** What was found; `undefined` for as long as it is looked for. */
  options: readonly Option[] | undefined;
  /** Says what to look for: anything when it gets the focus, then what is written. */
  onSearch: (text: string) => void;
  onChoose: (value: string) => void;
  inputRef?: Ref<HTMLInputElement>;
};

/** Chooses one after the other of many, found by a part of what they are called. */
export function SearchSelect({ label, hint, options, onSearch, onChoose, inputRef }: SearchSelectProps) {
  const [chosen, setChosen] = useState<Key | null>(null);
  // Chosen and forgotten: the input is empty for the next one.
  useEffect(() => {
    if (chosen === null) return;
    onChoose(String(chosen));
    setChosen(null);
  }, [chosen, onChoose]);
  return (
    <ComboBox
      className={field.field!}
      value={chosen}
      onChange={setChosen}
      items={options ?? []}
      allowsEmptyCollection
      onFocus={() => onSearch('')}
      onInputChange={onSearch}
    >
      <Label className={field.label}>{label}</Label>
      {hint && (
        <Text slot="description" className={field.hint}>
          {hint}
        </Text>
      )}
      <div className={styles.search}>
        <Input className={field.input!} maxLength={120} {...(inputRef && { ref: inputRef })} />
        <Button className={styles.open!}>
          <ChevronDown aria-hidden="true" />
        </Button>
      </div>
      <OptionList options={options ?? []} nothing={options ? texts.common.nothingFound : texts.common.loading} />
    </ComboBox>
  );
}
