import { Link, type LinkProps } from 'react-router';
import styles from './button.module.css';

/** A link that looks like a button, for the one thing that a page leads to. */
export function LinkButton({
  look = 'plain',
  ...props
}: Omit<LinkProps, 'className'> & { look?: 'primary' | 'plain' }) {
  return <Link {...props} className={`${styles.button} ${styles[look]}`} />;
}
