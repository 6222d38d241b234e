import { useEffect, useState } from 'react';
import { useLocation } from 'react-router';

/** The token of a one-time link. It goes out of the address at once, so that neither the history nor a glance keeps it. */
export function useTokenOfLink(): string {
  const { search } = useLocation();
  const [token] = useState(() => new URLSearchParams(search).get('token') ?? '');
  useEffect(() => {
    if (window.location.search !== '') window.history.replaceState(window.history.state, '', window.location.pathname);
  }, []);
  return token;
}
