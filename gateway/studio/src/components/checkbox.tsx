import { Check, Minus } from 'lucide-react';
import type { ReactNode } from 'react';
import { Checkbox as AriaCheckbox, type CheckboxProps as AriaCheckboxProps } from 'react-aria-components';
import styles from './checkbox.module.css';

type CheckboxProps = Omit<AriaCheckboxProps, 'className' | 'style' | 'children'> & {
  children?: ReactNode;
  hint?: ReactNode;
};

/** A choice that may be made or not; without words of its own it needs an `aria-label`. */
export function Checkbox({ children, hint, ...props }: CheckboxProps) {
  return (
    <AriaCheckbox {...props} className={styles.checkbox!}>
      {({ isSelected, isIndeterminate }) => (
        <>
          <span className={styles.box} aria-hidden="true">
            {isIndeterminate ? <Minus /> : isSelected && <Check />}
          </span>
          {children && (
            <span className={styles.words}>
              {children}
              {hint && <span className={styles.hint}>{hint}</span>}
            </span>
          )}
        </>
      )}
    </AriaCheckbox>
  );
}
