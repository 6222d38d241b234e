import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
