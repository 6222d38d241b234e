import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { events } from '@cloudhal/shared/contracts';
import express from 'express';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, type Replica, startWorld, type World } from '../testing/world.ts';
import { eventRoutes } from './events.ts';

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

  describe('of a browser that does not read', () => {
    const sockets: Socket[] = [];
    afterAll(() => sockets.forEach((socket) => void socket.destroy()));

    /** Sees nothing of what is sent until it is told to. */
    async function open(): Promise<Socket> {
      const { host } = new URL(replica.url);
      const socket = connect(replica.port!, '127.0.0.1').on('error', () => undefined);
      sockets.push(socket.pause());
      socket.write(`GET /api/events HTTP/1.1\r\nHost: ${host}\r\nCookie: ${person.cookie}\r\n\r\n`);
      await sleep(200);
      return socket;
    }
    /** More at a time than the system keeps for a connection. */
    function flood(times: number): void {
      for (let i = 0; i < times; i++) replica.bus.publish(events.resourceUpdated, { uri: `x://${'y'.repeat(60_000)}` });
    }

    it('is written to no more once it gave way', async () => {
      await open();
      flood(100);
      await sleep(200);
      const later = [];
      for (let i = 0; i < 12; i++) later.push(await follow());
      moved('apr_4');
      for (const stream of later) {
        expect((await stream.next('change')).data).toEqual({ topic: 'approvals', id: 'apr_4' });
        stream.close();
      }
    });

    it('is cut once too much waits for it', async () => {
      const socket = await open();
      flood(200);
      await sleep(200);
      let bytes = 0;
      socket.on('data', (chunk) => {
        bytes += chunk.length;
      });
      socket.resume();
      await expect.poll(() => socket.closed, { timeout: 3_000 }).toBe(true);
      expect(bytes).toBeLessThan(200 * 60_000);
    });
  });

  it('does not begin for a browser that left while its session was looked up', async () => {
    let listening = 0;
    let known: (person: object) => void = () => undefined;
    const lookup = new Promise<object>((resolve) => {
      known = resolve;
    });
    const person = () => lookup;
    const listen = () => ({ missed: [], stop: () => void listening--, begun: ++listening });
    const { router } = eventRoutes({ person } as never, { listen } as never);
    const server = createServer(express().use(router)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    await sleep(100);
    socket.destroy();
    await sleep(100);
    known({ member: { id: 'm' } });
    await sleep(50);
    expect(listening).toBe(0);
    server.close();
  });
});
