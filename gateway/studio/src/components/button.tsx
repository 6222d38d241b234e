import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components';
import styles from './button.module.css';

type ButtonProps = Omit<AriaButtonProps, 'className' | 'style'> & {
  /** `primary` once on a page; `danger` for what cannot be taken back. */
  look?: 'primary' | 'plain' | 'quiet' | 'danger';
  size?: 'm' | 's';
};

/** A button; while `isPending` it keeps its size and says that it works. */
export function Button({ look = 'plain', size = 'm', ...props }: ButtonProps) {
  return <AriaButton {...props} className={`${styles.button} ${styles[look]} ${styles[size]}`} />;
}
