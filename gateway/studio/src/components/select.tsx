import { Check, ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  Select as AriaSelect,
  Button,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  SelectValue,
  Text,
} from 'react-aria-components';
import field from './field.module.css';
import styles from './select.module.css';

type Option<T extends string> = { value: T; label: string; hint?: string };

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
      <Popover className={styles.popover!}>
        <ListBox className={styles.list!} items={options}>
          {({ value: id, label: text, hint: more }) => (
            <ListBoxItem id={id} textValue={text} className={styles.option!}>
              {({ isSelected }) => (
                <>
                  <span className={styles.words}>
                    <Text slot="label">{text}</Text>
                    {more && (
                      <Text slot="description" className={field.hint}>
                        {more}
                      </Text>
                    )}
                  </span>
                  {isSelected && <Check aria-hidden="true" />}
                </>
              )}
            </ListBoxItem>
          )}
        </ListBox>
      </Popover>
    </AriaSelect>
  );
}
