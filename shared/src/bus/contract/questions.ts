import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type CloudhalError, fail } from '../../errors.ts';
import { type Buses, echo, errorOf, reasonOf, second, timeoutMs, until } from './world.ts';

/** Asking and answering. */
export function describeQuestions(buses: Buses): void {
  describe('questions', () => {
    it('are answered, with what JSON keeps of the payload', async () => {
      let heard: unknown;
      await buses.tools.answer(echo, async (query) => {
        heard = query;
        return { text: query.text, at: new Date(0), gone: undefined } as { text: string };
      });
      const query = { text: 'Grüße 😀', more: { list: [1, null], gone: undefined } };
      expect(await buses.gateway.request(echo, query, { timeoutMs })).toEqual({
        text: 'Grüße 😀',
        at: '1970-01-01T00:00:00.000Z',
      });
      expect(heard).toEqual({ text: 'Grüße 😀', more: { list: [1, null] } });
      expect((heard as typeof query).more).not.toBe(query.more);
    });

    it('each get their own answer, however many are in flight', async () => {
      await buses.tools.answer(echo, async ({ text }) => {
        await sleep(Math.random() * 20);
        return { text: text.toUpperCase() };
      });
      const texts = Array.from({ length: 500 }, (_, i) => `q${i}`);
      const answers = await Promise.all(texts.map((text) => buses.gateway.request(echo, { text }, { timeoutMs })));
      expect(answers.map(({ text }) => text)).toEqual(texts.map((text) => text.toUpperCase()));
    });

    it('that nobody serves are told so at once', async () => {
      expect(await reasonOf(buses.gateway.request(echo, { text: '' }, { timeoutMs: 20_000 }))).toBe('no_responders');
    });

    it('that are not answered in time end as a timeout, which does not stop the work', async () => {
      let finished = false;
      await buses.tools.answer(echo, async ({ text }) => {
        await sleep(150);
        finished = true;
        return { text };
      });
      expect(await reasonOf(buses.gateway.request(echo, { text: '' }, { timeoutMs: 50 }))).toBe('timeout');
      await until(() => finished);
    });

    it('can be given up by the asker', async () => {
      await buses.tools.answer(echo, () => sleep(300, { text: '' }));
      const giveUp = new AbortController();
      const asked = reasonOf(buses.gateway.request(echo, { text: '' }, { timeoutMs, signal: giveUp.signal }));
      setTimeout(() => giveUp.abort(), 30);
      expect(await asked).toBe('aborted');
      expect(await reasonOf(buses.gateway.request(echo, { text: '' }, { timeoutMs, signal: giveUp.signal }))).toBe(
        'aborted',
      );
    });

    it('that break their schema are refused before the handler', async () => {
      let called = false;
      await buses.tools.answer(echo, async ({ text }) => {
        called = true;
        return { text };
      });
      const wrong = { text: 5 } as unknown as { text: string };
      expect(await reasonOf(buses.gateway.request(echo, wrong, { timeoutMs }))).toBe('validation_failed');
      expect(called).toBe(false);
    });

    it('reject with the error that the handler throws, details included', async () => {
      await buses.tools.answer(echo, async () => {
        throw fail('slug_taken', { slug: 'about', by: 'pg_1' });
      });
      const error = (await errorOf(buses.gateway.request(echo, { text: '' }, { timeoutMs }))) as CloudhalError;
      expect(error.body).toMatchObject({ code: 'slug_taken', details: { slug: 'about', by: 'pg_1' }, applied: 'no' });
      expect(error.status).toBe(409);
    });

    it('reject with "internal" where a handler breaks, and tell nothing of how', async () => {
      await buses.tools.answer(echo, async () => {
        throw new Error('column "secret" of relation /etc/passwd');
      });
      const error = (await errorOf(buses.gateway.request(echo, { text: '' }, { timeoutMs }))) as CloudhalError;
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
      await buses.tools.answer(echo, answerWhenOpen, { slots: 2 });
      const taken = [1, 2].map((n) => buses.gateway.request(echo, { text: `${n}` }, { timeoutMs: 20_000 }));
      await sleep(100);
      expect(await reasonOf(buses.gateway.request(echo, { text: '3' }, { timeoutMs: 20_000 }))).toBe('overloaded');
      release();
      expect(await Promise.all(taken)).toEqual([{ text: '1' }, { text: '2' }]);
      expect(await buses.gateway.request(echo, { text: '4' }, { timeoutMs })).toEqual({ text: '4' });
    });

    it('carry their budget, and the signal aborts when it is spent', async () => {
      let budget = 0;
      let aborted = false;
      await buses.tools.answer(echo, async ({ text }, { budgetMs, signal }) => {
        budget = budgetMs;
        signal.addEventListener('abort', () => {
          aborted = true;
        });
        await sleep(200);
        return { text };
      });
      await reasonOf(buses.gateway.request(echo, { text: '' }, { timeoutMs: 80 }));
      expect(budget).toBeGreaterThan(0);
      expect(budget).toBeLessThanOrEqual(80);
      await until(() => aborted);
    });

    it('are shared by the members of a group, each answered once', async () => {
      const other = await buses.world.connect('tools');
      const counts = [0, 0];
      for (const [i, member] of [buses.tools, other].entries()) {
        await member.answer(echo, async ({ text }) => {
          counts[i] = (counts[i] ?? 0) + 1;
          return { text };
        });
      }
      await Promise.all(Array.from({ length: 200 }, () => buses.gateway.request(echo, { text: '' }, { timeoutMs })));
      expect((counts[0] ?? 0) + (counts[1] ?? 0)).toBe(200);
      expect(counts[0]).toBeGreaterThan(0);
      expect(counts[1]).toBeGreaterThan(0);
      await other.close();
    });

    it('are not taken any more once serving has stopped, while other questions still are', async () => {
      const stop = await buses.tools.answer(echo, async ({ text }) => ({ text }));
      await buses.tools.answer(second, async ({ text }) => ({ text }));
      await stop();
      expect(await reasonOf(buses.gateway.request(echo, { text: '' }, { timeoutMs }))).toBe('no_responders');
      expect(await buses.gateway.request(second, { text: 'on' }, { timeoutMs })).toEqual({ text: 'on' });
    });

    it('in flight are finished before stopping is done', async () => {
      let begun = false;
      let finished = false;
      const stop = await buses.tools.answer(echo, async ({ text }) => {
        begun = true;
        await sleep(150);
        finished = true;
        return { text };
      });
      const asked = buses.gateway.request(echo, { text: 'x' }, { timeoutMs });
      await until(() => begun);
      await stop();
      expect(finished).toBe(true);
      expect(await asked).toEqual({ text: 'x' });
    });

    it('that are too large are refused before they are sent', async () => {
      await buses.tools.answer(echo, async ({ text }) => ({ text }));
      const large = 'ü'.repeat(600_000);
      expect(await reasonOf(buses.gateway.request(echo, { text: large }, { timeoutMs }))).toBe('payload_too_large');
    });

    it('whose answer is too large get an error that does not claim that nothing was done', async () => {
      await buses.tools.answer(echo, async () => ({ text: 'x'.repeat(1_100_000) }));
      const error = (await errorOf(buses.gateway.request(echo, { text: '' }, { timeoutMs }))) as CloudhalError;
      expect(error.body).toMatchObject({ code: 'limit_exceeded', applied: 'unknown' });
    });
  });
}
