import express, { type Response, type Router } from 'express';
import type { People } from '../auth/people.ts';
import type { Live, Numbered } from './live.ts';
import { signedIn } from './signed-in.ts';

const heartbeatMs = 15_000;
const mostStreams = 12;

/** `GET /api/events`: one stream of what changed, for a page that is open; it can be taken up again on any replica. */
export function eventRoutes(people: People, live: Live): { router: Router; end(): void } {
  const router = express.Router();
  const streams = new Map<Response, string>();

  router.get(
    '/',
    signedIn(people)(async ({ member }, request, response) => {
      makeRoom(member.id);
      streams.set(response, member.id);
      response.setHeader('Content-Type', 'text/event-stream');
      response.setHeader('Cache-Control', 'no-store, no-transform');
      response.setHeader('X-Accel-Buffering', 'no');
      const after = request.headers['last-event-id'];
      const { missed, stop } = live.listen(
        (numbered) => response.write(lineOf(numbered)),
        typeof after === 'string' ? after : undefined,
      );
      response.write(`retry: 2000\nevent: hello\ndata: ${JSON.stringify({ complete: missed !== undefined })}\n\n`);
      for (const numbered of missed ?? []) response.write(lineOf(numbered));

      // Whoever signed out, or was removed, hears no more.
      const heartbeat = setInterval(() => {
        people.person(request.headers).then(
          () => response.write(': still here\n\n'),
          () => response.end(),
        );
      }, heartbeatMs);
      response.on('close', () => {
        clearInterval(heartbeat);
        stop();
        streams.delete(response);
      });
    }),
  );

  /** A person's oldest stream gives way: tabs that were forgotten hold nothing. */
  function makeRoom(memberId: string): void {
    const own = [...streams].filter(([, owner]) => owner === memberId);
    if (own.length >= mostStreams) own[0]![0].end();
  }

  return {
    router,
    end() {
      for (const stream of streams.keys()) stream.end();
    },
  };
}

function lineOf({ id, change }: Numbered): string {
  return `id: ${id}\nevent: change\ndata: ${JSON.stringify(change)}\n\n`;
}
