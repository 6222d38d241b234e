import { events } from '@cloudhal/shared/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, type Replica, startWorld, type World } from '../testing/world.ts';

let world: World;
let replica: Replica;
let person: Browser;

beforeAll(async () => {
  world = await startWorld();
  replica = await world.replica();
  person = await world.person(replica, 'reviewer');
});
afterAll(() => world.stop());

/** Reads a stream line by line; `next` waits for the event of a name. */
async function follow(lastEventId?: string, to = replica) {
  const stop = new AbortController();
  const response = await fetch(`http://127.0.0.1:${to.port}/api/events`, {
    headers: { cookie: person.cookie, ...(lastEventId && { 'last-event-id': lastEventId }) },
    signal: stop.signal,
  });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  return {
    response,
    close: () => stop.abort(),
    async next(name: string): Promise<{ id?: string; data: Record<string, unknown> }> {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end < 0) {
          const { value, done } = await reader.read();
          if (done) throw new Error('The stream ended.');
          text += value;
          continue;
        }
        const lines = text.slice(0, end).split('\n');
        text = text.slice(end + 2);
        const field = (wanted: string) =>
          lines.find((line) => line.startsWith(`${wanted}: `))?.slice(wanted.length + 2);
        const id = field('id');
        if (field('event') === name) return { ...(id && { id }), data: JSON.parse(field('data')!) };
      }
    },
    async ended() {
      while (!(await reader.read()).done);
    },
  };
}

const moved = (id: string) => replica.bus.publish(events.approvalsChanged, { id, state: 'pending' });

describe('the stream of changes', () => {
  it('is for people who are signed in', async () => {
    expect((await replica.send('/api/events')).status).toBe(401);
  });

  it('tells what changed as it changes, and of a key only that some did', async () => {
    const stream = await follow();
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.response.headers.get('cache-control')).toContain('no-store');
    expect((await stream.next('hello')).data).toEqual({ complete: false });
    moved('apr_1');
    replica.bus.publish(events.keysChanged, { keyId: 'k1' });
    expect((await stream.next('change')).data).toEqual({ topic: 'approvals', id: 'apr_1' });
    expect((await stream.next('change')).data).toEqual({ topic: 'keys' });
    stream.close();
  });

  it('is taken up where it broke, and elsewhere says that it does not know what was missed', async () => {
    const first = await follow();
    moved('apr_2');
    const { id } = await first.next('change');
    first.close();
    moved('apr_3');
    const again = await follow(id);
    expect((await again.next('hello')).data).toEqual({ complete: true });
    expect((await again.next('change')).data).toEqual({ topic: 'approvals', id: 'apr_3' });
    again.close();

    const other = await world.replica();
    const elsewhere = await follow(id, other);
    expect((await elsewhere.next('hello')).data).toEqual({ complete: false });
    elsewhere.close();
  });

  it('gives the oldest stream of a person up for a new one, and ends with the gateway', async () => {
    const streams = [];
    for (let i = 0; i < 13; i++) streams.push(await follow());
    await streams[0]!.ended();
    for (const stream of streams.slice(1)) await stream.next('hello');

    const stopping = await world.replica();
    const last = await follow(undefined, stopping);
    await last.next('hello');
    await Promise.all([last.ended(), stopping.stop()]);
    for (const stream of streams) stream.close();
  });
});
