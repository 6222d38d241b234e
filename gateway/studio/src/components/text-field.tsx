import type { ReactNode } from 'react';
import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
  FieldError,
  Input,
  Label,
  Text,
  TextArea,
} from 'react-aria-components';
import styles from './field.module.css';

type TextFieldProps = Omit<AriaTextFieldProps, 'className' | 'style' | 'children'> & {
  label: string;
  hint?: ReactNode;
  placeholder?: string;
  /** Several lines. */
  rows?: number;
  /** What is wrong with it; else the browser's own words. */
  problem?: string | undefined;
};

export function TextField({ label, hint, placeholder, rows, problem, ...props }: TextFieldProps) {
  return (
    <AriaTextField {...props} {...(problem && { isInvalid: true })} className={styles.field!}>
      <Label className={styles.label}>{label}</Label>
      {hint && (
        <Text slot="description" className={styles.hint}>
          {hint}
        </Text>
      )}
      {rows === undefined ? (
        <Input className={styles.input!} {...(placeholder && { placeholder })} />
      ) : (
        <TextArea className={styles.input!} rows={rows} {...(placeholder && { placeholder })} />
      )}
      <div className={styles.below}>
        <FieldError className={styles.problem!}>{problem}</FieldError>
      </div>
    </AriaTextField>
  );
}
