import type { ReactNode } from 'react';
import { Dialog as AriaDialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import styles from './dialog.module.css';

type DialogProps = {
  title: string;
  isOpen: boolean;
  /** Called when it should go: by Escape, by a press beside it, by its own buttons. */
  onClose: () => void;
  /** Asks for a decision, so a press beside it does not close it. */
  isDecision?: boolean;
  /** Has more than a few lines. */
  isWide?: boolean;
  children: ReactNode;
};

/** A dialog over the page; it keeps the focus, and gives it back. */
export function Dialog({ title, isOpen, onClose, isDecision = false, isWide = false, children }: DialogProps) {
  return (
    <ModalOverlay
      className={styles.overlay!}
      isOpen={isOpen}
      isDismissable={!isDecision}
      onOpenChange={(open) => open || onClose()}
    >
      <Modal className={isWide ? `${styles.modal} ${styles.wide}` : styles.modal!}>
        <AriaDialog className={styles.dialog!} role={isDecision ? 'alertdialog' : 'dialog'}>
          <Heading slot="title" level={2}>
            {title}
          </Heading>
          {children}
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

/** The buttons at the end of a dialog. */
export function DialogActions({ children }: { children: ReactNode }) {
  return <div className={styles.actions}>{children}</div>;
}
