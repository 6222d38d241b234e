import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { Suspense } from 'react';
import { BrowserRouter, Navigate, Route, Routes, useLocation, useSearchParams } from 'react-router';
import { studioPath } from './api/base.ts';
import { ApiError, codeOf } from './api/errors.ts';
import { sessionQuery, useSession } from './api/session.ts';
import { Button } from './components/button.tsx';
import { Problem } from './components/problem.tsx';
import { outside, pages } from './routes.tsx';
import { NotFound } from './shell/not-found.tsx';
import { Outside } from './shell/outside.tsx';
import { Shell } from './shell/shell.tsx';
import { texts } from './texts/index.ts';

/** Where a session ends the sign-in is shown, whichever reading found it out. */
function endSession(error: unknown): void {
  const code = codeOf(error);
  if (code === 'sign_in_required' || code === 'not_a_member') client.setQueryData(sessionQuery.queryKey, null);
}

const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 15_000,
      // A refusal stays one; what did not arrive may.
      retry: (count, error) => count < 2 && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
    },
  },
});
client.getQueryCache().config.onError = endSession;
client.getMutationCache().config.onError = endSession;

export function App() {
  return (
    <QueryClientProvider client={client}>
      <BrowserRouter basename={studioPath.replace(/\/$/, '')}>
        <Suspense>
          <Routes>
            <Route path="join" element={<outside.Join />} />
            <Route path="first-owner" element={<outside.Join />} />
            <Route path="sign-in" element={<Guest />} />
            <Route path="forgot-password" element={<outside.ForgotPassword />} />
            <Route path="reset-password" element={<outside.ResetPassword />} />
            <Route element={<Member />}>
              <Route index element={<Navigate to="/approvals" replace />} />
              {pages.map(({ path, Page }) => (
                <Route key={path} path={path} element={<Page />} />
              ))}
              <Route path="*" element={<NotFound />} />
            </Route>
          </Routes>
        </Suspense>
      </BrowserRouter>
    </QueryClientProvider>
  );
}

function Member() {
  const session = useSession();
  const { pathname, search } = useLocation();
  if (session.data) return <Shell />;
  if (session.data === null) {
    const to = pathname === '/' ? '' : `?to=${encodeURIComponent(pathname + search)}`;
    return <Navigate to={`/sign-in${to}`} replace />;
  }
  if (!session.error) return null;
  return (
    <Outside title={texts.errors.title}>
      <Problem error={session.error} action={<Button onPress={() => session.refetch()}>{texts.common.retry}</Button>} />
    </Outside>
  );
}

/** Whoever signs in goes on to what they asked for; the router knows no other host. */
function Guest() {
  const session = useSession();
  const [query] = useSearchParams();
  const to = `/${query.get('to')?.replace(/^\/+/, '') ?? ''}`;
  return session.data ? <Navigate to={to} replace /> : <outside.SignIn />;
}
