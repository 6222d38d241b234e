import { Radio, RadioGroup } from 'react-aria-components';
import styles from './choice.module.css';

type ChoiceProps<T extends string> = {
  label: string;
  value: T;
  onChange: (value: T) => void;
  options: readonly { value: T; label: string /** Makes no sense on a phone. */; onlyWide?: boolean }[];
};

/** One of two or three ways, side by side. */
export function Choice<T extends string>({ label, value, onChange, options }: ChoiceProps<T>) {
  return (
    <RadioGroup
      aria-label={label}
      value={value}
      onChange={(chosen) => onChange(chosen as T)}
      orientation="horizontal"
      className={styles.choice!}
    >
      {options.map(({ value: one, label: text, onlyWide }) => (
        <Radio key={one} value={one} className={onlyWide ? `${styles.option} ${styles.wide}` : styles.option!}>
          {text}
        </Radio>
      ))}
    </RadioGroup>
  );
}
