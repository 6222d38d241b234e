import type { QueryClient } from '@tanstack/react-query';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { gatewayUrl } from './base.ts';

/** Query keys begin with what they show; a change of a topic makes those queries read again. */
type Change = { topic: string; id?: string };
const topics: Record<string, string[]> = {
  approvals: ['approvals'],
  elevations: ['elevations'],
  keys: ['agent-keys'],
  activity: ['activity'],
  content: ['sites'],
  skills: ['skills'],
  tools: ['tools'],
};

const crowdMs = 150;
const betweenMs = 1_500;

/**
 * Follows what changes in the deployment for as long as the page is looked at. The browser takes a broken stream up by
 * itself; where the server cannot say what was missed, everything that is shown is read again.
 */
export function useLiveUpdates(): void {
  const client = useQueryClient();
  useEffect(() => {
    let stop = follow(client);
    const onVisibility = () => {
      stop();
      stop = () => {};
      if (document.visibilityState === 'visible') stop = follow(client);
    };
    document.addEventListener('visibilitychange', onVisibility);
    return () => {
      document.removeEventListener('visibilitychange', onVisibility);
      stop();
    };
  }, [client]);
}

function follow(client: QueryClient): () => void {
  const stream = new EventSource(gatewayUrl('api/events'));
  const pending = new Set<string>();
  let timer: number | undefined;
  let readAt = 0;

  // Changes come in crowds, and one reading answers them all; where they do not end, there is one now and then.
  const soon = (key: string) => {
    pending.add(key);
    timer ??= window.setTimeout(
      () => {
        timer = undefined;
        readAt = performance.now();
        for (const name of pending) void client.invalidateQueries({ queryKey: [name] });
        pending.clear();
      },
      Math.max(crowdMs, readAt + betweenMs - performance.now()),
    );
  };
  stream.addEventListener('change', ({ data }) => {
    const { topic } = JSON.parse(data) as Change;
    for (const key of topics[topic] ?? []) soon(key);
  });
  stream.addEventListener('hello', ({ data }) => {
    if (JSON.parse(data).complete === false) for (const key of Object.values(topics).flat()) soon(key);
  });
  stream.addEventListener('error', () => {
    // Closed for good: the session may have ended.
    if (stream.readyState === EventSource.CLOSED) void client.invalidateQueries({ queryKey: ['session'] });
  });
  return () => {
    window.clearTimeout(timer);
    stream.close();
  };
}
