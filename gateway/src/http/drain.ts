import type { Server, ServerResponse } from 'node:http';

/** Counts the requests that are being answered; streams that stay open by nature do not count. */
export function trackInFlight(server: Server): { drained(atMostMs: number): Promise<void> } {
  const inFlight = new Set<ServerResponse>();
  let onEmpty: (() => void) | undefined;
  server.on('request', (request, response) => {
    if (request.headers['mcp-method'] === 'subscriptions/listen' || request.url === '/api/events') return;
    inFlight.add(response);
    response.once('close', () => {
      inFlight.delete(response);
      if (inFlight.size === 0) onEmpty?.();
    });
  });
  return {
    drained: (atMostMs) =>
      new Promise((resolve) => {
        if (inFlight.size === 0) return resolve();
        const timer = setTimeout(resolve, atMostMs);
        onEmpty = () => {
          clearTimeout(timer);
          resolve();
        };
      }),
  };
}
