import { useMutation, useQueryClient, useQueryErrorResetBoundary } from '@tanstack/react-query';
import { LogOut } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef } from 'react';
import { Link, Outlet, useLocation } from 'react-router';
import { useLiveUpdates } from '../api/live.ts';
import { forgetPerson, signOut, usePerson } from '../api/session.ts';
import { IconButton } from '../components/icon-button.tsx';
import { Skeleton } from '../components/skeleton.tsx';
import { texts } from '../texts/index.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import { Navigation } from './navigation.tsx';
import { Reauthenticate } from './reauthenticate.tsx';
import styles from './shell.module.css';

const ConfirmCall = lazy(() => import('./confirm-call.tsx'));

/** The frame around every page of somebody who is signed in. */
export function Shell() {
  const { name, role, email } = usePerson();
  const { pathname } = useLocation();
  const { reset } = useQueryErrorResetBoundary();
  const main = useFocusOnArrival(pathname.split('/')[1] ?? '');
  useLiveUpdates();
  return (
    <div className={styles.shell}>
      <button type="button" className={styles.skip} onClick={() => main.current?.focus()}>
        {texts.common.skip}
      </button>
      <header className={styles.side}>
        <Link to="/" className={styles.brand!}>
          {texts.common.brand}
        </Link>
        <Navigation />
        <Whoever name={name} role={texts.roles[role]} canLeave={email !== ''} />
      </header>
      <main className={styles.main} id="content" ref={main} tabIndex={-1}>
        <ErrorBoundary at={pathname} onRetry={reset}>
          <Suspense fallback={<Skeleton />}>
            <Outlet />
          </Suspense>
        </ErrorBoundary>
      </main>
      <Reauthenticate />
      <Suspense>
        <ConfirmCall />
      </Suspense>
    </div>
  );
}

/** The developer at the machine has no account, and so nothing to sign out of. */
function Whoever({ name, role, canLeave }: { name: string; role: string; canLeave: boolean }) {
  const client = useQueryClient();
  const leave = useMutation({
    mutationFn: signOut,
    onSettled: () => forgetPerson(client),
  });
  return (
    <div className={styles.who}>
      <p>
        <bdi>{name}</bdi>
        <span>{role}</span>
      </p>
      {canLeave && (
        <IconButton
          icon={LogOut}
          label={texts.shell.signOut}
          isPending={leave.isPending}
          onPress={() => leave.mutate()}
        />
      )}
    </div>
  );
}

/** Whoever goes to another page by keyboard or screen reader starts at its content. */
function useFocusOnArrival(page: string) {
  const main = useRef<HTMLElement>(null);
  const before = useRef(page);
  useEffect(() => {
    const from = before.current;
    before.current = page;
    if (from === page || from === '') return;
    window.scrollTo(0, 0);
    main.current?.focus({ preventScroll: true });
  }, [page]);
  return main;
}
