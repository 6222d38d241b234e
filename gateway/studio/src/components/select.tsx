import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Select as AriaSelect, Button, Label, SelectValue, Text } from 'react-aria-components';
import field from './field.module.css';
import { type Option, OptionList } from './option-list.tsx';
import styles from './select.module.css';

type SelectProps<T extends string> = {
  label: string;
  hint?: ReactNode;
  options: readonly Option<T>[];
  value: T;
  onChange: (value: T) => void;
  isDisabled?: boolean;
  /** The label is read out, and not shown. */
  isLabelHidden?: boolean;
};

/** One of a few choices. */
export function Select<T extends string>({
  label,
  hint,
  options,
  value,
  onChange,
  isDisabled,
  isLabelHidden,
}: SelectProps<T>) {
  return (
    <AriaSelect
      className={field.field!}
      value={value}
      onChange={(key) => onChange(key as T)}
      {...(isDisabled && { isDisabled })}
      {...(isLabelHidden && { 'aria-label': label })}
    >
      {!isLabelHidden && <Label className={field.label}>{label}</Label>}
      {hint && (
        <Text slot="description" className={field.hint}>
          {hint}
        </Text>
      )}
      <Button className={`${field.input} ${styles.button}`}>
        <SelectValue className={styles.value!}>{({ selectedText }) => selectedText}</SelectValue>
        <ChevronDown aria-hidden="true" />
      </Button>
      <OptionList options={options} />
    </AriaSelect>
  );
}
