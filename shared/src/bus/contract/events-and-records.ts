import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { type Buses, happened, records, until } from './world.ts';

/** What is told, and what is kept. */
export function describeEventsAndRecords(buses: Buses): void {
  describe('events', () => {
    it("reach every subscriber, the publisher's own included, and none after it stopped", async () => {
      const heard: string[] = [];
      const stop = await buses.gateway.subscribe(happened, ({ text }) => heard.push(`gateway ${text}`));
      await buses.policy.subscribe(happened, ({ text }) => heard.push(`policy ${text}`));
      buses.policy.publish(happened, { text: '1' });
      await until(() => heard.length === 2);
      await stop();
      buses.policy.publish(happened, { text: '2' });
      await until(() => heard.length === 3);
      expect(heard.sort()).toEqual(['gateway 1', 'policy 1', 'policy 2']);
    });

    it('go on to the others when one subscriber breaks', async () => {
      const heard: string[] = [];
      await buses.policy.subscribe(happened, () => {
        throw new Error('broken');
      });
      await buses.policy.subscribe(happened, ({ text }) => heard.push(text));
      buses.gateway.publish(happened, { text: '1' });
      buses.gateway.publish(happened, { text: '2' });
      await until(() => heard.length === 2);
    });

    it('nobody listens to are no error', () => {
      expect(() => buses.gateway.publish(happened, { text: '' })).not.toThrow();
    });
  });

  describe('records', () => {
    it('arrive at the consumer with their ids, in batches', async () => {
      const batches: { id: string; record: { n: number } }[][] = [];
      await buses.policy.consume(records, 'archive', async (batch) => {
        batches.push(batch);
      });
      await Promise.all(Array.from({ length: 300 }, (_, n) => buses.tools.append(records, `id${n}`, { n })));
      await until(() => batches.flat().length === 300);
      const sorted = batches.flat().sort((a, b) => a.record.n - b.record.n);
      expect(sorted).toEqual(Array.from({ length: 300 }, (_, n) => ({ id: `id${n}`, record: { n } })));
      expect(batches.length).toBeLessThan(150);
      for (const batch of batches) expect(batch.length).toBeLessThanOrEqual(200);
    });

    it('with an id that was stored before are stored once', async () => {
      const seen: string[] = [];
      await buses.policy.consume(records, 'archive', async (batch) => {
        seen.push(...batch.map(({ id }) => id));
      });
      await buses.tools.append(records, 'same', { n: 1 });
      await buses.tools.append(records, 'same', { n: 1 });
      await buses.gateway.append(records, 'same', { n: 1 });
      await buses.tools.append(records, 'other', { n: 2 });
      await until(() => seen.includes('other'));
      expect(seen).toEqual(['same', 'other']);
    });

    it('come again when the handler of their batch throws', async () => {
      let attempts = 0;
      const archived: number[] = [];
      await buses.policy.consume(records, 'archive', async (batch) => {
        if (++attempts === 1) throw new Error('the store is away');
        archived.push(...batch.map(({ record }) => record.n));
      });
      await buses.tools.append(records, 'a', { n: 7 });
      await until(() => archived.length === 1);
      expect(archived).toEqual([7]);
      expect(attempts).toBe(2);
    });

    it('are consumed one batch at a time', async () => {
      let running = 0;
      let most = 0;
      let count = 0;
      await buses.policy.consume(records, 'archive', async (batch) => {
        most = Math.max(most, ++running);
        await sleep(20);
        count += batch.length;
        running--;
      });
      await Promise.all(Array.from({ length: 50 }, (_, n) => buses.tools.append(records, `${n}`, { n })));
      await until(() => count === 50);
      expect(most).toBe(1);
    });
  });
}
