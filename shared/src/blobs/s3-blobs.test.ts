import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import S3rver from 's3rver';
import { expect, it } from 'vitest';
import { blobKey, pieces, sha256Of } from './blob-store.ts';
import { describeBlobs } from './blob-store-contract.ts';
import { connectS3Blobs } from './s3-blobs.ts';

describeBlobs('S3', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cloudhal-s3-'));
  const secretKeyFile = join(folder, 'secret');
  writeFileSync(secretKeyFile, 'S3RVER\n');
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory: join(folder, 'data'),
    configureBuckets: [{ name: 'media', configs: [] }],
  });
  wholeOrNone(server);
  const { port } = await server.run();
  const settings = { bucket: 'media', endpoint: `http://127.0.0.1:${port}`, accessKeyId: 'S3RVER', secretKeyFile };
  return {
    one: await connectS3Blobs(settings),
    two: await connectS3Blobs(settings),
    async end() {
      await server.close();
      rmSync(folder, { recursive: true });
    },
  };
});

/** S3 makes an object of a whole body or none at all; this server would write down what it gets as it comes. */
function wholeOrNone(server: S3rver): void {
  type Put = (object: { content: Buffer | AsyncIterable<Buffer> }) => Promise<unknown>;
  const { store } = server as unknown as { store: { putObject: Put } };
  const put = store.putObject.bind(store);
  store.putObject = async (object) => {
    const { content } = object;
    if (!Buffer.isBuffer(content)) object.content = await buffer(content);
    return put(object);
  };
}

it('is storage_unavailable while the bucket cannot be reached', async () => {
  const blobs = await connectS3Blobs({ bucket: 'media', endpoint: 'http://127.0.0.1:9', accessKeyId: 'a' });
  const content = Buffer.from('x');
  const expected = { bytes: 1, sha256: sha256Of(content) };
  await expect(blobs.read('blobs/x')).rejects.toMatchObject({ code: 'storage_unavailable' });
  await expect(blobs.write(blobKey(expected.sha256), pieces(content), expected)).rejects.toMatchObject({
    code: 'storage_unavailable',
  });
  await blobs.close();
});
