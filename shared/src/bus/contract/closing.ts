import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Buses, echo, happened, reasonOf, records, timeoutMs, until } from './world.ts';

/** The end of a bus. */
export function describeClosing(buses: Buses): void {
  describe('closing', () => {
    it('lets what is in flight be answered first', async () => {
      let begun = false;
      await buses.tools.answer(echo, async ({ text }) => {
        begun = true;
        await sleep(200);
        return { text };
      });
      const asked = buses.gateway.request(echo, { text: 'last' }, { timeoutMs });
      await until(() => begun);
      await buses.tools.close();
      expect(await asked).toEqual({ text: 'last' });
      expect(buses.tools.connected()).toBe(false);
    });

    it('makes every later question fail at once', async () => {
      await buses.gateway.close();
      expect(await reasonOf(buses.gateway.request(echo, { text: '' }, { timeoutMs: 20_000 }))).toBe('disconnected');
      expect(await reasonOf(buses.gateway.append(records, 'x', { n: 1 }))).toBe('disconnected');
      expect(() => buses.gateway.publish(happened, { text: '' })).not.toThrow();
      await buses.gateway.close();
    });
  });
}
