import express, { type Router } from 'express';
import type { People } from '../auth/people.ts';
import type { Live, Numbered } from './live.ts';
import { signedIn } from './signed-in.ts';

const heartbeatMs = 15_000;
const mostStreams = 12;
/** A browser that reads is never this far behind; it comes back and reads everything again. */
const mostWaitingBytes = 1024 * 1024;

type Stream = { owner: string; end(): void };

/** `GET /api/events`: one stream of what changed, for a page that is open; it can be taken up again on any replica. */
export function eventRoutes(people: People, live: Live): { router: Router; end(): void } {
  const router = express.Router();
  const streams = new Set<Stream>();

  router.get(
    '/',
    signedIn(people)(async ({ member }, request, response) => {
      // The browser may have left while its session was looked up: it closes no second time.
      if (response.destroyed) return;
      makeRoom(member.id);
      response.setHeader('Content-Type', 'text/event-stream');
      response.setHeader('Cache-Control', 'no-store, no-transform');
      response.setHeader('X-Accel-Buffering', 'no');
      const after = request.headers['last-event-id'];
      const { missed, stop } = live.listen(
        (numbered) => send(lineOf(numbered)),
        typeof after === 'string' ? after : undefined,
      );
      // Whoever signed out, or was removed, hears no more.
      const heartbeat = setInterval(() => {
        people.person(request.headers).then(() => send(': still here\n\n'), end);
      }, heartbeatMs);
      const stream: Stream = { owner: member.id, end };
      streams.add(stream);
      response.on('close', end);
      response.on('error', end);

      send(`retry: 2000\nevent: hello\ndata: ${JSON.stringify({ complete: missed !== undefined })}\n\n`);
      for (const numbered of missed ?? []) send(lineOf(numbered));

      function send(text: string): void {
        if (!streams.has(stream)) return;
        response.write(text);
        if (response.writableLength > mostWaitingBytes) end();
      }

      /** At once: a browser that does not read would keep an end that waits for it. */
      function end(): void {
        if (!streams.delete(stream)) return;
        clearInterval(heartbeat);
        stop();
        response.end();
        response.destroy();
      }
    }),
  );

  /** A person's oldest stream gives way: tabs that were forgotten hold nothing. */
  function makeRoom(memberId: string): void {
    const own = [...streams].filter(({ owner }) => owner === memberId);
    if (own.length >= mostStreams) own[0]!.end();
  }

  return {
    router,
    end() {
      for (const stream of [...streams]) stream.end();
    },
  };
}

function lineOf({ id, change }: Numbered): string {
  return `id: ${id}\nevent: change\ndata: ${JSON.stringify(change)}\n\n`;
}
