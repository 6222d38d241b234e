import { useSuspenseInfiniteQuery } from '@tanstack/react-query';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { CircleCheck, Inbox } from 'lucide-react';
import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { type Approval, approvalsQuery } from '../../api/approvals.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { approvals as texts } from '../../texts/approvals.ts';
import { ApprovalCard } from './approval-card.tsx';
import styles from './approval-list.module.css';
import { DecideMany } from './decide-many.tsx';
import { useMayDecide } from './may-decide.ts';

/** Approvals in some states, newest first. Only what is on the screen is in the page, however many there are. */
export function ApprovalList({ state }: { state: string }) {
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useSuspenseInfiniteQuery(approvalsQuery(state));
  const approvals = data.pages.flatMap((page) => page.approvals);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const mayDecide = useMayDecide();

  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  useLayoutEffect(() => setTop((list.current?.getBoundingClientRect().top ?? 0) + window.scrollY), []);
  const virtual = useWindowVirtualizer({
    count: approvals.length,
    estimateSize: () => 132,
    overscan: 8,
    gap: 12,
    scrollMargin: top,
    getItemKey: (index) => approvals[index]!.id,
  });
  const rows = virtual.getVirtualItems();
  const last = rows.at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && last >= approvals.length - 20) void fetchNextPage();
  }, [hasNextPage, isFetchingNextPage, last, approvals.length, fetchNextPage]);

  // Somebody else may have decided one of them meanwhile.
  const chosenHere = approvals.filter(({ id }) => chosen.has(id));
  const choose = useCallback(({ id }: Approval, isChosen: boolean) => {
    setChosen((before) => {
      const next = new Set(before);
      if (isChosen) next.add(id);
      else next.delete(id);
      return next;
    });
  }, []);
  return (
    <>
      {approvals.length === 0 && <Nothing isInbox={state === 'pending'} />}
      <p className="visually-hidden" role="status">
        {texts.list(approvals.length)}
      </p>
      <ul ref={list} className={styles.list} style={{ height: virtual.getTotalSize() }}>
        {rows.map(({ index, key, start }) => {
          const approval = approvals[index]!;
          const canChoose = approval.state === 'pending' && !approval.alwaysPerson && mayDecide;
          return (
            <li
              key={key}
              ref={virtual.measureElement}
              data-index={index}
              aria-setsize={hasNextPage ? -1 : approvals.length}
              aria-posinset={index + 1}
              className={styles.item}
              style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
            >
              <ApprovalCard
                approval={approval}
                onChoose={choose}
                {...(canChoose && { isChosen: chosen.has(approval.id) })}
              />
            </li>
          );
        })}
      </ul>
      <DecideMany approvals={chosenHere} onClear={() => setChosen(new Set())} />
    </>
  );
}

function Nothing({ isInbox }: { isInbox: boolean }) {
  const { title, text } = isInbox ? texts.empty : texts.emptyDecided;
  return (
    <EmptyState icon={isInbox ? Inbox : CircleCheck} title={title}>
      {text}
    </EmptyState>
  );
}
