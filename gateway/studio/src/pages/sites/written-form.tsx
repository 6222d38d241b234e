import { type ReactNode, useState } from 'react';
import { Button } from '../../components/button.tsx';
import { Notice } from '../../components/notice.tsx';
import { Problem } from '../../components/problem.tsx';
import { entries as texts } from '../../texts/sites.ts';
import { Conflict } from './conflict.tsx';
import styles from './entry-page.module.css';
import type { useWritten } from './use-written.ts';

type WrittenFormProps = {
  site: string;
  /** The id of what is edited, or of the page that it is on. */
  node: string;
  editing: ReturnType<typeof useWritten>;
  children: ReactNode;
};

/** Around what is written: saves it, and settles what somebody else changed meanwhile. */
export function WrittenForm({ site, node, editing, children }: WrittenFormProps) {
  const [settled, setSettled] = useState<string>();
  const { read, written, theirs, hasChanges } = editing;
  const words = texts.page;
  const stands = editing.hasToSaveAgain ? words.again : hasChanges ? words.unsaved : editing.isSaved ? words.saved : '';
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        setSettled(undefined);
        if (hasChanges && !theirs) editing.save();
      }}
    >
      {theirs && (
        <Conflict
          site={site}
          node={node}
          read={read}
          mine={written}
          theirs={theirs}
          onSettle={(hasClashes) => {
            editing.settle();
            setSettled(hasClashes ? texts.conflict.afterMine : texts.conflict.after);
          }}
          onTakeTheirs={editing.discard}
        />
      )}
      {settled !== undefined && !theirs && <Notice>{settled}</Notice>}
      {children}
      {editing.error && <Problem error={editing.error} />}
      <div className={styles.bar} data-open={hasChanges}>
        <Button
          type="submit"
          look="primary"
          isPending={editing.isSaving}
          isDisabled={!hasChanges || theirs !== undefined}
        >
          {words.save}
        </Button>
        {hasChanges && !theirs && (
          <Button look="quiet" onPress={editing.discard}>
            {words.discard}
          </Button>
        )}
        <p className={styles.unsaved} role="status">
          {stands}
        </p>
      </div>
    </form>
  );
}
