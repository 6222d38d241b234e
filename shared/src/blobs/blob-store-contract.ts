import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BlobStore, blobKey, pieces, readWhole, sha256Of } from './blob-store.ts';

export type BlobWorld = { one: BlobStore; two: BlobStore; end(): Promise<void> };

/** What every blob store does; run against each adapter. */
export function describeBlobs(name: string, makeWorld: () => Promise<BlobWorld>): void {
  describe(`${name}: the contract of a blob store`, () => {
    let world: BlobWorld;
    beforeAll(async () => {
      world = await makeWorld();
    });
    afterAll(async () => {
      await Promise.all([world.one.close(), world.two.close()]);
      await world.end();
    });

    function file(bytes: number) {
      const content = randomBytes(bytes);
      const sha256 = sha256Of(content);
      return { content, key: blobKey(sha256), expected: { bytes, sha256 } };
    }
    const whole = async (store: BlobStore, key: string) => readWhole((await store.read(key))!, 10_000_000);

    it.each([1, 255, 256 * 1024, 256 * 1024 + 1, 1_500_000])('gives back %i bytes, also to another', async (size) => {
      const { content, key, expected } = file(size);
      await world.one.write(key, pieces(content, 100_000), expected);
      expect(await world.two.has(key)).toBe(true);
      expect((await world.two.read(key))!.bytes).toBe(size);
      expect((await whole(world.two, key)).equals(content)).toBe(true);
    });

    it('has nothing where nothing was stored, and nothing after it was removed', async () => {
      const { content, key, expected } = file(300_000);
      expect(await world.one.read(key)).toBeUndefined();
      expect(await world.one.has(key)).toBe(false);
      await world.one.write(key, pieces(content), expected);
      await world.two.remove(key);
      expect(await world.one.has(key)).toBe(false);
      await world.two.remove(key);
    });

    it('keeps the first where the same is stored twice, also at once', async () => {
      const { content, key, expected } = file(400_000);
      await Promise.all([world.one, world.two].map((store) => store.write(key, pieces(content), expected)));
      await world.one.write(key, pieces(content), expected);
      expect((await whole(world.one, key)).equals(content)).toBe(true);
    });

    it.each([
      ['has more bytes than announced', 1_000_001, 1_000_000],
      ['has fewer bytes than announced', 999_999, 1_000_000],
      ['is not what was announced', 1_000_000, 1_000_000],
    ])('stores nothing that %s', async (_, sent, announced) => {
      const { key, expected } = file(announced);
      const wrong = world.one.write(key, pieces(randomBytes(sent), 64 * 1024), expected);
      await expect(wrong).rejects.toMatchObject({ code: 'validation_failed' });
      expect(await world.one.has(key)).toBe(false);
    });

    it('stores nothing of what breaks half-way', async () => {
      const { content, key, expected } = file(1_000_000);
      async function* breaking() {
        yield content.subarray(0, 500_000);
        throw new Error('The line broke.');
      }
      await expect(world.one.write(key, breaking(), expected)).rejects.toThrow();
      expect(await world.one.has(key)).toBe(false);
    });
  });
}
