import { useInfiniteQuery } from '@tanstack/react-query';
import { Bookmark } from 'lucide-react';
import { useState } from 'react';
import { useParams, useSearchParams } from 'react-router';
import { makeRestorePoint, type Snapshot, snapshotsQuery } from '../../api/history.ts';
import { Button } from '../../components/button.tsx';
import { Checkbox } from '../../components/checkbox.tsx';
import { Dialog } from '../../components/dialog.tsx';
import { Form } from '../../components/form.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { Notice } from '../../components/notice.tsx';
import { Problem } from '../../components/problem.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { TextField } from '../../components/text-field.tsx';
import { history as texts } from '../../texts/sites.ts';
import styles from './history.module.css';
import { useMayChange } from './may.ts';
import { MoreButton } from './more-button.tsx';
import { RollbackDialog } from './rollback-dialog.tsx';
import shared from './sites.module.css';
import { SnapshotItem } from './snapshot-item.tsx';
import { UndoDialog } from './undo-dialog.tsx';

type Asking = { what: 'undo' | 'rollback'; snapshot: Snapshot } | { what: 'point' };

/** All that happened to a site, newest first, with the ways back. */
export function History() {
  const { site = '' } = useParams();
  const [query, setQuery] = useSearchParams();
  const labelled = query.has('points');
  const node = query.get('node') ?? undefined;
  const linked = query.get('snapshot') ?? undefined;
  const list = useInfiniteQuery(snapshotsQuery(site, { labelled, node, snapshot: linked }));
  const isOfAll = node === undefined && linked === undefined;
  const isWhole = !labelled && isOfAll;
  const [asking, setAsking] = useState<Asking>();
  const [done, setDone] = useState<string>();
  const mayChange = useMayChange();
  const ask = (next: Asking) => {
    setDone(undefined);
    setAsking(next);
  };
  const close = () => setAsking(undefined);
  const snapshots = list.data?.pages.flatMap((page) => page.snapshots);
  return (
    <div className={shared.part}>
      <div className={shared.tools}>
        {isOfAll ? (
          <Checkbox isSelected={labelled} onChange={(only) => setQuery(only ? { points: '' } : {}, { replace: true })}>
            {texts.labelled}
          </Checkbox>
        ) : (
          <>
            <p>{linked === undefined ? texts.ofOne : texts.linked}</p>
            <Button size="s" onPress={() => setQuery({})}>
              {texts.ofAll}
            </Button>
          </>
        )}
        {mayChange && isOfAll && (
          <Button onPress={() => ask({ what: 'point' })}>
            <Bookmark aria-hidden="true" />
            {texts.point.action}
          </Button>
        )}
      </div>
      {done !== undefined && <Notice>{done}</Notice>}
      {list.error && <Problem error={list.error} />}
      {!snapshots && !list.error && <Skeleton rows={5} height="4rem" />}
      {snapshots && (
        <ol className={styles.timeline} aria-label={texts.list}>
          {snapshots.map((snapshot, index) => (
            <SnapshotItem
              key={snapshot.id}
              site={site}
              snapshot={snapshot}
              isLinked={snapshot.id === linked}
              {...(mayChange && {
                onUndo: () => ask({ what: 'undo', snapshot }),
                ...(!(index === 0 && isWhole) && { onRollback: () => ask({ what: 'rollback', snapshot }) }),
              })}
            />
          ))}
        </ol>
      )}
      <MoreButton list={list} />
      {asking?.what === 'undo' && (
        <UndoDialog site={site} snapshot={asking.snapshot} onDone={setDone} onClose={close} />
      )}
      {asking?.what === 'rollback' && (
        <RollbackDialog site={site} snapshot={asking.snapshot} onDone={setDone} onClose={close} />
      )}
      {asking?.what === 'point' && <PointDialog site={site} onDone={() => list.refetch()} onClose={close} />}
    </div>
  );
}

function PointDialog({ site, onDone, onClose }: { site: string; onDone: () => unknown; onClose: () => void }) {
  const { point } = texts;
  return (
    <Dialog title={point.title} isOpen onClose={onClose}>
      <p>{point.text}</p>
      <Form
        onSend={async ({ label = '' }) => {
          await makeRestorePoint(site, label.trim());
          await onDone();
          onClose();
        }}
      >
        {({ isSending }) => (
          <>
            <TextField label={point.label} name="label" isRequired autoFocus maxLength={100} />
            <FormActions isSending={isSending} onCancel={onClose}>
              {point.make}
            </FormActions>
          </>
        )}
      </Form>
    </Dialog>
  );
}
