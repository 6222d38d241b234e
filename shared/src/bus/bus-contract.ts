import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CloudhalError, fail } from '../errors.ts';
import { type Bus, BusError, event, forwarded, request, stream } from './bus.ts';

/** Where a contract's buses meet; `connect` gives the bus of one more process, or the one bus there is. */
export type BusWorld = { connect(service: string): Promise<Bus>; end(): Promise<void> };

const Text = Type.Object({ text: Type.String() });
const echo = request(
  'cloudhal.v1.test.echo',
  Type.Object({ text: Type.String(), more: Type.Optional(Type.Unknown()) }),
  Text,
);
const first = request('cloudhal.v1.test.first', Text, Text);
const second = request('cloudhal.v1.test.second', Text, Text);
const third = request('cloudhal.v1.test.third', Text, Text);
const happened = event('cloudhal.v1.event.happened', Text);
const records = stream('CLOUDHAL_TEST', 'cloudhal.v1.test.records', Type.Object({ n: Type.Integer() }));
const timeoutMs = 5_000;

async function errorOf(work: Promise<unknown>): Promise<CloudhalError | BusError> {
  const error = await work.then(
    (value) => new Error(`it was answered ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof CloudhalError || error instanceof BusError) return error;
  throw error;
}

async function reasonOf(work: Promise<unknown>): Promise<string> {
  const error = await errorOf(work);
  return error instanceof BusError ? error.reason : error.code;
}

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 1_000 && !condition(); i++) await sleep(10);
  expect(condition()).toBe(true);
}

/** What every bus does; run against each adapter. */
export function describeBus(name: string, makeWorld: () => Promise<BusWorld>): void {
  describe(`${name}: the contract of a bus`, () => {
    let world: BusWorld;
    let gateway: Bus;
    let policy: Bus;
    let tools: Bus;

    beforeEach(async () => {
      world = await makeWorld();
      gateway = await world.connect('gateway');
      policy = await world.connect('policy');
      tools = await world.connect('tools');
    });

    afterEach(async () => {
      await Promise.all([gateway.close(), policy.close(), tools.close()]);
      await world.end();
    });

    describe('questions', () => {
      it('are answered, with what JSON keeps of the payload', async () => {
        let heard: unknown;
        await tools.answer(echo, async (query) => {
          heard = query;
          return { text: query.text, at: new Date(0), gone: undefined } as { text: string };
        });
        const query = { text: 'Grüße 😀', more: { list: [1, null], gone: undefined } };
        expect(await gateway.request(echo, query, { timeoutMs })).toEqual({
          text: 'Grüße 😀',
          at: '1970-01-01T00:00:00.000Z',
        });
        expect(heard).toEqual({ text: 'Grüße 😀', more: { list: [1, null] } });
        expect((heard as typeof query).more).not.toBe(query.more);
      });

      it('each get their own answer, however many are in flight', async () => {
        await tools.answer(echo, async ({ text }) => {
          await sleep(Math.random() * 20);
          return { text: text.toUpperCase() };
        });
        const texts = Array.from({ length: 500 }, (_, i) => `q${i}`);
        const answers = await Promise.all(texts.map((text) => gateway.request(echo, { text }, { timeoutMs })));
        expect(answers.map(({ text }) => text)).toEqual(texts.map((text) => text.toUpperCase()));
      });

      it('that nobody serves are told so at once', async () => {
        expect(await reasonOf(gateway.request(echo, { text: '' }, { timeoutMs: 20_000 }))).toBe('no_responders');
      });

      it('that are not answered in time end as a timeout, which does not stop the work', async () => {
        let finished = false;
        await tools.answer(echo, async ({ text }) => {
          await sleep(150);
          finished = true;
          return { text };
        });
        expect(await reasonOf(gateway.request(echo, { text: '' }, { timeoutMs: 50 }))).toBe('timeout');
        await until(() => finished);
      });

      it('can be given up by the asker', async () => {
        await tools.answer(echo, () => sleep(300, { text: '' }));
        const giveUp = new AbortController();
        const asked = reasonOf(gateway.request(echo, { text: '' }, { timeoutMs, signal: giveUp.signal }));
        setTimeout(() => giveUp.abort(), 30);
        expect(await asked).toBe('aborted');
        expect(await reasonOf(gateway.request(echo, { text: '' }, { timeoutMs, signal: giveUp.signal }))).toBe(
          'aborted',
        );
      });

      it('that break their schema are refused before the handler', async () => {
        let called = false;
        await tools.answer(echo, async ({ text }) => {
          called = true;
          return { text };
        });
        const wrong = { text: 5 } as unknown as { text: string };
        expect(await reasonOf(gateway.request(echo, wrong, { timeoutMs }))).toBe('validation_failed');
        expect(called).toBe(false);
      });

      it('reject with the error that the handler throws, details included', async () => {
        await tools.answer(echo, async () => {
          throw fail('slug_taken', { slug: 'about', by: 'pg_1' });
        });
        const error = (await errorOf(gateway.request(echo, { text: '' }, { timeoutMs }))) as CloudhalError;
        expect(error.body).toMatchObject({ code: 'slug_taken', details: { slug: 'about', by: 'pg_1' }, applied: 'no' });
        expect(error.status).toBe(409);
      });

      it('reject with "internal" where a handler breaks, and tell nothing of how', async () => {
        await tools.answer(echo, async () => {
          throw new Error('column "secret" of relation /etc/passwd');
        });
        const error = (await errorOf(gateway.request(echo, { text: '' }, { timeoutMs }))) as CloudhalError;
        expect(error.code).toBe('internal');
        expect(JSON.stringify(error.body)).not.toContain('secret');
      });

      it('over the number of slots are answered "overloaded" at once, and slots come free', async () => {
        let release = () => {};
        const gate = new Promise<void>((resolve) => {
          release = resolve;
        });
        const answerWhenOpen = async ({ text }: { text: string }) => {
          await gate;
          return { text };
        };
        await tools.answer(echo, answerWhenOpen, { slots: 2 });
        const taken = [1, 2].map((n) => gateway.request(echo, { text: `${n}` }, { timeoutMs: 20_000 }));
        await sleep(100);
        expect(await reasonOf(gateway.request(echo, { text: '3' }, { timeoutMs: 20_000 }))).toBe('overloaded');
        release();
        expect(await Promise.all(taken)).toEqual([{ text: '1' }, { text: '2' }]);
        expect(await gateway.request(echo, { text: '4' }, { timeoutMs })).toEqual({ text: '4' });
      });

      it('carry their budget, and the signal aborts when it is spent', async () => {
        let budget = 0;
        let aborted = false;
        await tools.answer(echo, async ({ text }, { budgetMs, signal }) => {
          budget = budgetMs;
          signal.addEventListener('abort', () => {
            aborted = true;
          });
          await sleep(200);
          return { text };
        });
        await reasonOf(gateway.request(echo, { text: '' }, { timeoutMs: 80 }));
        expect(budget).toBeGreaterThan(0);
        expect(budget).toBeLessThanOrEqual(80);
        await until(() => aborted);
      });

      it('are shared by the members of a group, each answered once', async () => {
        const other = await world.connect('tools');
        const counts = [0, 0];
        for (const [i, member] of [tools, other].entries()) {
          await member.answer(echo, async ({ text }) => {
            counts[i] = (counts[i] ?? 0) + 1;
            return { text };
          });
        }
        await Promise.all(Array.from({ length: 200 }, () => gateway.request(echo, { text: '' }, { timeoutMs })));
        expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(200);
        expect(counts[0]).toBeGreaterThan(0);
        expect(counts[1]).toBeGreaterThan(0);
        await other.close();
      });

      it('are not taken any more once serving has stopped, while other questions still are', async () => {
        const stop = await tools.answer(echo, async ({ text }) => ({ text }));
        await tools.answer(second, async ({ text }) => ({ text }));
        await stop();
        expect(await reasonOf(gateway.request(echo, { text: '' }, { timeoutMs }))).toBe('no_responders');
        expect(await gateway.request(second, { text: 'on' }, { timeoutMs })).toEqual({ text: 'on' });
      });

      it('in flight are finished before stopping is done', async () => {
        let begun = false;
        let finished = false;
        const stop = await tools.answer(echo, async ({ text }) => {
          begun = true;
          await sleep(150);
          finished = true;
          return { text };
        });
        const asked = gateway.request(echo, { text: 'x' }, { timeoutMs });
        await until(() => begun);
        await stop();
        expect(finished).toBe(true);
        expect(await asked).toEqual({ text: 'x' });
      });

      it('that are too large are refused before they are sent', async () => {
        await tools.answer(echo, async ({ text }) => ({ text }));
        const large = 'ü'.repeat(600_000);
        expect(await reasonOf(gateway.request(echo, { text: large }, { timeoutMs }))).toBe('payload_too_large');
      });

      it('whose answer is too large get an error that does not claim that nothing was done', async () => {
        await tools.answer(echo, async () => ({ text: 'x'.repeat(1_100_000) }));
        const error = (await errorOf(gateway.request(echo, { text: '' }, { timeoutMs }))) as CloudhalError;
        expect(error.body).toMatchObject({ code: 'limit_exceeded', applied: 'unknown' });
      });
    });

    describe('a question that is passed on', () => {
      it('is answered by the second service, straight to the asker, with the budget that is left', async () => {
        const seen: { answerTo: string; budgetMs: number }[] = [];
        await policy.answer(first, async ({ text }, context) => {
          seen.push({ answerTo: context.answerTo, budgetMs: context.budgetMs });
          await sleep(50);
          return context.forward(second, { text: `${text} passed on` }, 'tool_unavailable');
        });
        await tools.answer(second, async ({ text }, context) => {
          seen.push({ answerTo: context.answerTo, budgetMs: context.budgetMs });
          return { text: `${text}, answered` };
        });
        const answer = await gateway.request(first, { text: 'asked' }, { timeoutMs });
        expect(answer).toEqual({ text: 'asked passed on, answered' });
        expect(seen[0]?.answerTo).toBe(seen[1]?.answerTo);
        expect(seen[0]?.answerTo.startsWith(gateway.inboxPrefix)).toBe(true);
        expect(seen[1]?.budgetMs).toBeLessThan(seen[0]?.budgetMs ?? 0);
      });

      it('may be passed on again', async () => {
        await policy.answer(first, async (query, { forward }) => forward(second, query, 'tool_unavailable'));
        await policy.answer(second, async (query, { forward }) => forward(third, query, 'tool_unavailable'));
        await tools.answer(third, async ({ text }) => ({ text: `${text}!` }));
        expect(await gateway.request(first, { text: 'far' }, { timeoutMs })).toEqual({ text: 'far!' });
      });

      it('gets the given error, applied: no, where nobody serves the second service', async () => {
        await policy.answer(first, async (query, { forward }) => forward(second, query, 'tool_unavailable'));
        const error = (await errorOf(gateway.request(first, { text: '' }, { timeoutMs: 20_000 }))) as CloudhalError;
        expect(error.body).toMatchObject({ code: 'tool_unavailable', applied: 'no', retryable: true });
      });

      it("gets the second service's own errors", async () => {
        await policy.answer(first, async (query, { forward }) => forward(second, query, 'tool_unavailable'));
        await tools.answer(second, async () => {
          throw fail('digest_moved');
        });
        expect(await reasonOf(gateway.request(first, { text: '' }, { timeoutMs }))).toBe('digest_moved');
      });

      it('is not passed on once the budget is spent', async () => {
        let ran = false;
        await policy.answer(first, async (query, { forward }) => {
          await sleep(150);
          return forward(second, query, 'tool_unavailable');
        });
        await tools.answer(second, async ({ text }) => {
          ran = true;
          return { text };
        });
        expect(await reasonOf(gateway.request(first, { text: '' }, { timeoutMs: 60 }))).toBe('timeout');
        await sleep(250);
        expect(ran).toBe(false);
      });

      it('frees its slot at the first service', async () => {
        await policy.answer(first, async (query, { forward }) => forward(second, query, 'tool_unavailable'), {
          slots: 1,
        });
        await tools.answer(second, ({ text }) => sleep(200, { text }));
        const one = gateway.request(first, { text: '1' }, { timeoutMs });
        await sleep(80);
        const two = gateway.request(first, { text: '2' }, { timeoutMs });
        expect(await Promise.all([one, two])).toEqual([{ text: '1' }, { text: '2' }]);
      });

      it('reaches the asker even though a handler returned nothing of its own', async () => {
        await policy.answer(first, async (query, context) => {
          expect(context.forward(second, query, 'tool_unavailable')).toBe(forwarded);
          return forwarded;
        });
        await tools.answer(second, async ({ text }) => ({ text }));
        expect(await gateway.request(first, { text: 'x' }, { timeoutMs })).toEqual({ text: 'x' });
      });
    });

    describe('events', () => {
      it("reach every subscriber, the publisher's own included, and none after it stopped", async () => {
        const heard: string[] = [];
        const stop = await gateway.subscribe(happened, ({ text }) => heard.push(`gateway ${text}`));
        await policy.subscribe(happened, ({ text }) => heard.push(`policy ${text}`));
        policy.publish(happened, { text: '1' });
        await until(() => heard.length === 2);
        await stop();
        policy.publish(happened, { text: '2' });
        await until(() => heard.length === 3);
        expect(heard.sort()).toEqual(['gateway 1', 'policy 1', 'policy 2']);
      });

      it('go on to the others when one subscriber breaks', async () => {
        const heard: string[] = [];
        await policy.subscribe(happened, () => {
          throw new Error('broken');
        });
        await policy.subscribe(happened, ({ text }) => heard.push(text));
        gateway.publish(happened, { text: '1' });
        gateway.publish(happened, { text: '2' });
        await until(() => heard.length === 2);
      });

      it('nobody listens to are no error', () => {
        expect(() => gateway.publish(happened, { text: '' })).not.toThrow();
      });
    });

    describe('records', () => {
      it('arrive at the consumer with their ids, in batches', async () => {
        const batches: { id: string; record: { n: number } }[][] = [];
        await policy.consume(records, 'archive', async (batch) => {
          batches.push(batch);
        });
        await Promise.all(Array.from({ length: 300 }, (_, n) => tools.append(records, `id${n}`, { n })));
        await until(() => batches.flat().length === 300);
        const sorted = batches.flat().sort((a, b) => a.record.n - b.record.n);
        expect(sorted).toEqual(Array.from({ length: 300 }, (_, n) => ({ id: `id${n}`, record: { n } })));
        expect(batches.length).toBeLessThan(150);
        for (const batch of batches) expect(batch.length).toBeLessThanOrEqual(200);
      });

      it('with an id that was stored before are stored once', async () => {
        const seen: string[] = [];
        await policy.consume(records, 'archive', async (batch) => {
          seen.push(...batch.map(({ id }) => id));
        });
        await tools.append(records, 'same', { n: 1 });
        await tools.append(records, 'same', { n: 1 });
        await gateway.append(records, 'same', { n: 1 });
        await tools.append(records, 'other', { n: 2 });
        await until(() => seen.includes('other'));
        expect(seen).toEqual(['same', 'other']);
      });

      it('come again when the handler of their batch throws', async () => {
        let attempts = 0;
        const archived: number[] = [];
        await policy.consume(records, 'archive', async (batch) => {
          if (++attempts === 1) throw new Error('the store is away');
          archived.push(...batch.map(({ record }) => record.n));
        });
        await tools.append(records, 'a', { n: 7 });
        await until(() => archived.length === 1);
        expect(archived).toEqual([7]);
        expect(attempts).toBe(2);
      });

      it('are consumed one batch at a time', async () => {
        let running = 0;
        let most = 0;
        let count = 0;
        await policy.consume(records, 'archive', async (batch) => {
          most = Math.max(most, ++running);
          await sleep(20);
          count += batch.length;
          running--;
        });
        await Promise.all(Array.from({ length: 50 }, (_, n) => tools.append(records, `${n}`, { n })));
        await until(() => count === 50);
        expect(most).toBe(1);
      });
    });

    describe('closing', () => {
      it('lets what is in flight be answered first', async () => {
        let begun = false;
        await tools.answer(echo, async ({ text }) => {
          begun = true;
          await sleep(200);
          return { text };
        });
        const asked = gateway.request(echo, { text: 'last' }, { timeoutMs });
        await until(() => begun);
        await tools.close();
        expect(await asked).toEqual({ text: 'last' });
        expect(tools.connected()).toBe(false);
      });

      it('makes every later question fail at once', async () => {
        await gateway.close();
        expect(await reasonOf(gateway.request(echo, { text: '' }, { timeoutMs: 20_000 }))).toBe('disconnected');
        expect(await reasonOf(gateway.append(records, 'x', { n: 1 }))).toBe('disconnected');
        expect(() => gateway.publish(happened, { text: '' })).not.toThrow();
        await gateway.close();
      });
    });
  });
}
