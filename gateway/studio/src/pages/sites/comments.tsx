import { useInfiniteQuery, useMutation, useQueryClient } from '@tanstack/react-query';
import { MessageSquare } from 'lucide-react';
import { useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router';
import {
  approveComments,
  type Comment,
  type CommentStatus,
  commentsQuery,
  type RejectReason,
  rejectComments,
} from '../../api/comments.ts';
import { Badge } from '../../components/badge.tsx';
import { Button } from '../../components/button.tsx';
import { Choice } from '../../components/choice.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Notice } from '../../components/notice.tsx';
import { Problem } from '../../components/problem.tsx';
import { Quoted } from '../../components/quoted.tsx';
import { Select } from '../../components/select.tsx';
import { ShownParts } from '../../components/shown-parts.tsx';
import { Skeleton } from '../../components/skeleton.tsx';
import { Time } from '../../components/time.tsx';
import { comments as texts } from '../../texts/sites.ts';
import styles from './comments.module.css';
import { useMayChange } from './may.ts';
import { MoreButton } from './more-button.tsx';
import shared from './sites.module.css';

const states = ['pending', 'approved', 'rejected', 'spam'] as const;

/** What readers wrote, and what becomes of it. */
export function Comments() {
  const { site = '' } = useParams();
  const [query, setQuery] = useSearchParams();
  const status = states.find((one) => one === query.get('state')) ?? 'pending';
  const list = useInfiniteQuery(commentsQuery(site, status));
  const [done, setDone] = useState<string>();
  const comments = list.data?.pages.flatMap((page) => page.comments);
  const { title, text } = status === 'pending' ? texts.emptyPending : texts.empty;
  return (
    <div className={shared.part}>
      <Choice<CommentStatus>
        label={texts.status}
        value={status}
        onChange={(state) => {
          setDone(undefined);
          setQuery(state === 'pending' ? {} : { state }, { replace: true });
        }}
        options={states.map((value) => ({ value, label: texts.states[value] }))}
      />
      {done !== undefined && <Notice>{done}</Notice>}
      {list.error && <Problem error={list.error} />}
      {!comments && !list.error && <Skeleton rows={3} height="8rem" />}
      {comments?.length === 0 && (
        <EmptyState icon={MessageSquare} title={title}>
          {text}
        </EmptyState>
      )}
      {comments && comments.length > 0 && (
        <ul className={styles.list}>
          {comments.map((comment) => (
            <li key={comment.id}>
              <CommentCard site={site} comment={comment} onDone={setDone} />
            </li>
          ))}
        </ul>
      )}
      <MoreButton list={list} />
    </div>
  );
}

type CommentCardProps = { site: string; comment: Comment; onDone: (said: string) => void };

/** What one reader wrote. Not a word of it is Studio's, so all of it is quoted. */
function CommentCard({ site, comment, onDone }: CommentCardProps) {
  const { author, text, createdAt, entry, signs = [], official, suggestion, suggestedBecause } = comment;
  return (
    <article className={styles.card}>
      <header className={styles.head}>
        <p>
          {official ? (
            <Badge tone="accent">{texts.official}</Badge>
          ) : author ? (
            <Quoted text={author} most={60} />
          ) : (
            texts.reader
          )}{' '}
          {texts.wrote} <Time at={createdAt} />
        </p>
        <Link to={`/sites/${site}/entries/${entry}`}>{texts.under}</Link>
      </header>
      {text === undefined ? <p>{texts.erased}</p> : <Quoted as="block" text={text} />}
      {signs.length > 0 && (
        <p className={styles.facts}>
          <Badge tone="warn">{texts.signs}</Badge>
          {signs.map((sign) => (
            <ShownParts key={sign} text={sign} />
          ))}
        </p>
      )}
      {suggestion && (
        <p className={styles.facts}>
          {texts.suggestion(suggestion.decision)} (<Quoted text={suggestion.by} most={40} />)
          {suggestedBecause && (
            <>
              . {texts.because} <Quoted text={suggestedBecause} most={200} />
            </>
          )}
        </p>
      )}
      {!official && comment.status !== 'erased' && <Decision site={site} comment={comment} onDone={onDone} />}
    </article>
  );
}

const reasons = ['other', 'abuse', 'off_topic', 'personal_data', 'duplicate', 'spam'] as const;

function Decision({ site, comment, onDone }: CommentCardProps) {
  const client = useQueryClient();
  const [reason, setReason] = useState<RejectReason>('other');
  const again = { onSettled: () => client.invalidateQueries({ queryKey: ['sites', site, 'comments'] }) };
  const approving = useMutation({
    mutationFn: () => approveComments(site, [comment]),
    onSuccess: () => onDone(texts.approved),
    ...again,
  });
  const rejecting = useMutation({
    mutationFn: () => rejectComments(site, [comment], reason),
    onSuccess: () => onDone(texts.hidden),
    ...again,
  });
  const mayChange = useMayChange();
  if (!mayChange) return null;
  const error = approving.error ?? rejecting.error;
  const isBusy = approving.isPending || rejecting.isPending;
  return (
    <>
      {error && <Problem error={error} />}
      <div className={styles.decision}>
        {comment.status !== 'approved' && (
          <Button look="primary" isPending={approving.isPending} isDisabled={isBusy} onPress={() => approving.mutate()}>
            {texts.approve}
          </Button>
        )}
        {comment.status !== 'rejected' && comment.status !== 'spam' && (
          <div className={styles.hide}>
            <Select
              label={texts.why}
              isLabelHidden
              value={reason}
              onChange={setReason}
              options={reasons.map((value) => ({ value, label: texts.reasons[value] }))}
            />
            <Button
              look="danger"
              isPending={rejecting.isPending}
              isDisabled={isBusy}
              onPress={() => rejecting.mutate()}
            >
              {texts.hide}
            </Button>
          </div>
        )}
      </div>
    </>
  );
}
