import type { ReactNode } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps, ProgressBar } from 'react-aria-components';
import { common } from '../texts/common.ts';
import styles from './button.module.css';

type ButtonProps = Omit<AriaButtonProps, 'className' | 'style' | 'children'> & {
  /** `primary` once on a page; `danger` for what cannot be taken back. */
  look?: 'primary' | 'plain' | 'quiet' | 'danger';
  size?: 'm' | 's';
  children: ReactNode;
};

/** A button; while `isPending` it keeps its size and says that it works. */
export function Button({ look = 'plain', size = 'm', children, ...props }: ButtonProps) {
  return (
    <AriaButton {...props} className={`${styles.button} ${styles[look]} ${styles[size]}`}>
      {children}
      {props.isPending && <ProgressBar aria-label={common.working} isIndeterminate className={styles.progress!} />}
    </AriaButton>
  );
}
