import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type CloudhalError, fail } from '../../errors.ts';
import { forwarded } from '../bus.ts';
import { type Buses, errorOf, first, reasonOf, second, third, timeoutMs } from './world.ts';

/** A question that travels on. */
export function describeForwarding(buses: Buses): void {
  describe('a question that is passed on', () => {
    it('is answered by the second service, straight to the asker, with the budget that is left', async () => {
      const seen: { answerTo: string; budgetMs: number }[] = [];
      await buses.policy.answer(first, async ({ text }, context) => {
        seen.push({ answerTo: context.answerTo, budgetMs: context.budgetMs });
        await sleep(50);
        return context.forward(second, { text: `${text} passed on` }, 'tool_unavailable');
      });
      await buses.tools.answer(second, async ({ text }, context) => {
        seen.push({ answerTo: context.answerTo, budgetMs: context.budgetMs });
        return { text: `${text}, answered` };
      });
      const answer = await buses.gateway.request(first, { text: 'asked' }, { timeoutMs });
      expect(answer).toEqual({ text: 'asked passed on, answered' });
      expect(seen[0]?.answerTo).toBe(seen[1]?.answerTo);
      expect(seen[0]?.answerTo.startsWith(buses.gateway.inboxPrefix)).toBe(true);
      expect(seen[1]?.budgetMs).toBeLessThan(seen[0]?.budgetMs ?? 0);
    });

    it('may be passed on again', async () => {
      await buses.policy.answer(first, async (query, { forward }) => forward(second, query, 'tool_unavailable'));
      await buses.policy.answer(second, async (query, { forward }) => forward(third, query, 'tool_unavailable'));
      await buses.tools.answer(third, async ({ text }) => ({ text: `${text}!` }));
      expect(await buses.gateway.request(first, { text: 'far' }, { timeoutMs })).toEqual({ text: 'far!' });
    });

    it('gets the given error, applied: no, where nobody serves the second service', async () => {
      await buses.policy.answer(first, async (query, { forward }) => forward(second, query, 'tool_unavailable'));
      const error = (await errorOf(buses.gateway.request(first, { text: '' }, { timeoutMs: 20_000 }))) as CloudhalError;
      expect(error.body).toMatchObject({ code: 'tool_unavailable', applied: 'no', retryable: true });
    });

    it("gets the second service's own errors", async () => {
      await buses.policy.answer(first, async (query, { forward }) => forward(second, query, 'tool_unavailable'));
      await buses.tools.answer(second, async () => {
        throw fail('digest_moved');
      });
      expect(await reasonOf(buses.gateway.request(first, { text: '' }, { timeoutMs }))).toBe('digest_moved');
    });

    it('is not passed on once the budget is spent', async () => {
      let ran = false;
      await buses.policy.answer(first, async (query, { forward }) => {
        await sleep(150);
        return forward(second, query, 'tool_unavailable');
      });
      await buses.tools.answer(second, async ({ text }) => {
        ran = true;
        return { text };
      });
      expect(await reasonOf(buses.gateway.request(first, { text: '' }, { timeoutMs: 60 }))).toBe('timeout');
      await sleep(250);
      expect(ran).toBe(false);
    });

    it('frees its slot at the first service', async () => {
      await buses.policy.answer(first, async (query, { forward }) => forward(second, query, 'tool_unavailable'), {
        slots: 1,
      });
      await buses.tools.answer(second, ({ text }) => sleep(200, { text }));
      const one = buses.gateway.request(first, { text: '1' }, { timeoutMs });
      await sleep(80);
      const two = buses.gateway.request(first, { text: '2' }, { timeoutMs });
      expect(await Promise.all([one, two])).toEqual([{ text: '1' }, { text: '2' }]);
    });

    it('reaches the asker even though a handler returned nothing of its own', async () => {
      await buses.policy.answer(first, async (query, context) => {
        expect(context.forward(second, query, 'tool_unavailable')).toBe(forwarded);
        return forwarded;
      });
      await buses.tools.answer(second, async ({ text }) => ({ text }));
      expect(await buses.gateway.request(first, { text: 'x' }, { timeoutMs })).toEqual({ text: 'x' });
    });
  });
}
