import type { LucideIcon } from 'lucide-react';
import { Button, type ButtonProps, Tooltip, TooltipTrigger } from 'react-aria-components';
import styles from './icon-button.module.css';

type IconButtonProps = Omit<ButtonProps, 'className' | 'style' | 'children'> & { icon: LucideIcon; label: string };

/** A button with a picture alone; its name is read out, and shown to who points at it. */
export function IconButton({ icon: Icon, label, ...props }: IconButtonProps) {
  return (
    <TooltipTrigger delay={400}>
      <Button {...props} aria-label={label} className={styles.button!}>
        <Icon aria-hidden="true" />
      </Button>
      <Tooltip className={styles.tip!} offset={6}>
        {label}
      </Tooltip>
    </TooltipTrigger>
  );
}
