import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { KeyValue } from './key-value.ts';

/** Two connections to one store, as two replicas have. */
export type KeyValueWorld = { one: KeyValue; two: KeyValue; end(): Promise<void> };

/** What every key-value store does; run against each adapter. */
export function describeKeyValue(name: string, makeWorld: () => Promise<KeyValueWorld>): void {
  describe(`${name}: the contract of a key-value store`, () => {
    let world: KeyValueWorld;
    let one: KeyValue;
    let two: KeyValue;
    let key: string;

    beforeAll(async () => {
      world = await makeWorld();
      ({ one, two } = world);
    });
    beforeEach(() => {
      key = `k-${randomBytes(6).toString('hex')}`;
    });
    afterAll(async () => {
      await Promise.all([one.close(), two.close()]);
      await world.end();
    });

    it('what one sets another gets', async () => {
      expect(await two.get(key)).toBeUndefined();
      await one.set(key, 'Grüße\n"😀"');
      expect(await two.get(key)).toBe('Grüße\n"😀"');
      await one.set(key, '');
      expect(await two.get(key)).toBe('');
    });

    it('many are got at once, in the order asked, with gaps for those that are not there', async () => {
      await one.set(`${key}a`, '1');
      await one.set(`${key}c`, '3');
      expect(await two.getMany([`${key}c`, `${key}b`, `${key}a`, `${key}c`])).toEqual(['3', undefined, '1', '3']);
      expect(await two.getMany([])).toEqual([]);
    });

    it('a value with a lifetime is gone after it, one without stays', async () => {
      await one.set(`${key}short`, 'x', { ttlMs: 80 });
      await one.set(`${key}long`, 'x', { ttlMs: 60_000 });
      await one.set(`${key}ever`, 'x', { ttlMs: 80 });
      await one.set(`${key}ever`, 'y');
      expect(await two.get(`${key}short`)).toBe('x');
      await sleep(150);
      expect(await two.getMany([`${key}short`, `${key}long`, `${key}ever`])).toEqual([undefined, 'x', 'y']);
    });

    it('what is deleted is gone, and deleting nothing is no error', async () => {
      await one.set(key, 'x');
      await two.delete(key);
      expect(await one.get(key)).toBeUndefined();
      await two.delete(key);
    });

    it('a compare-and-set changes only what it expects', async () => {
      expect(await one.compareAndSet(key, 'x', 'y')).toBe(false);
      expect(await one.compareAndSet(key, undefined, 'a')).toBe(true);
      expect(await two.compareAndSet(key, undefined, 'b')).toBe(false);
      expect(await two.compareAndSet(key, 'wrong', 'b')).toBe(false);
      expect(await two.compareAndSet(key, 'a', 'b')).toBe(true);
      expect(await one.get(key)).toBe('b');
    });

    it('a compare-and-set sets a lifetime, and what has expired counts as absent', async () => {
      expect(await one.compareAndSet(key, undefined, 'a', { ttlMs: 60 })).toBe(true);
      await sleep(120);
      expect(await one.compareAndSet(key, 'a', 'b')).toBe(false);
      expect(await one.compareAndSet(key, undefined, 'c', { ttlMs: 60_000 })).toBe(true);
      expect(await two.get(key)).toBe('c');
    });

    it('of many who compare and set at once exactly one wins', async () => {
      await one.set(key, 'free');
      const outcomes = await Promise.all(
        Array.from({ length: 40 }, (_, i) => (i % 2 ? one : two).compareAndSet(key, 'free', `taken by ${i}`)),
      );
      expect(outcomes.filter(Boolean)).toHaveLength(1);
      expect(await one.get(key)).toBe(`taken by ${outcomes.indexOf(true)}`);
    });

    describe('a limit', () => {
      const slow = { burst: 10, perMinute: 6 };

      it('lets a burst pass at once, then refuses and says when to come again', async () => {
        const verdicts = [];
        for (let i = 0; i < 10; i++) verdicts.push(await one.take(key, slow));
        expect(verdicts.map(({ allowed, remaining }) => [allowed, remaining])).toEqual(
          Array.from({ length: 10 }, (_, i) => [true, 9 - i]),
        );
        const refused = await two.take(key, slow);
        expect(refused).toMatchObject({ allowed: false, remaining: 0 });
        expect(refused.retryAfterMs).toBeGreaterThan(5_000);
        expect(refused.retryAfterMs).toBeLessThanOrEqual(10_000);
      });

      it('is shared, and never lets more pass than it has, however many ask at once', async () => {
        const verdicts = await Promise.all(Array.from({ length: 60 }, (_, i) => (i % 2 ? one : two).take(key, slow)));
        expect(verdicts.filter(({ allowed }) => allowed)).toHaveLength(10);
      });

      it('fills up again with time', async () => {
        const fast = { burst: 1, perMinute: 600 };
        expect((await one.take(key, fast)).allowed).toBe(true);
        const refused = await one.take(key, fast);
        expect(refused.allowed).toBe(false);
        expect(refused.retryAfterMs).toBeLessThanOrEqual(100);
        await sleep(refused.retryAfterMs + 20);
        expect((await one.take(key, fast)).allowed).toBe(true);
      });

      it('charges what a call costs, and nothing for a call that is refused', async () => {
        expect(await one.take(key, slow, 7)).toMatchObject({ allowed: true, remaining: 3 });
        expect(await one.take(key, slow, 4)).toMatchObject({ allowed: false, remaining: 3 });
        expect(await one.take(key, slow, 3)).toMatchObject({ allowed: true, remaining: 0 });
      });

      it('never lets a call pass that costs more than the whole burst', async () => {
        expect((await one.take(key, slow, 11)).allowed).toBe(false);
      });

      it('keeps its buckets apart, from each other and from values', async () => {
        await one.set(key, 'a value');
        await one.take(key, slow, 10);
        expect((await one.take(`${key}other`, slow)).allowed).toBe(true);
        expect(await one.get(key)).toBe('a value');
      });
    });
  });
}
