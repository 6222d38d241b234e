import { readFileSync } from 'node:fs';
import { Readable } from 'node:stream';
import type { S3Client, S3ClientConfig } from '@aws-sdk/client-s3';
import { CloudhalError, fail } from '../errors.ts';
import { type BlobStore, verified } from './blob-store.ts';

export type S3Settings = {
  bucket: string;
  /** Absent for AWS itself. */
  endpoint?: string;
  region?: string;
  /** Absent: as the AWS clients find them (environment, web identity, instance role). */
  accessKeyId?: string;
  secretKeyFile?: string;
};

/** Blobs in a bucket of anything that speaks S3. A store that is away is `storage_unavailable`. */
export async function connectS3Blobs({ bucket, ...settings }: S3Settings): Promise<BlobStore> {
  // Loaded where it is used: most deployments, and every local start, do without.
  const s3 = await import('@aws-sdk/client-s3');
  const client: S3Client = new s3.S3Client(clientConfig(settings));

  async function has(key: string): Promise<boolean> {
    return (await attempt(() => client.send(new s3.HeadObjectCommand({ Bucket: bucket, Key: key })))) !== undefined;
  }

  return {
    async write(key, content, expected) {
      const measured = verified(content, expected);
      if (await has(key)) return drain(measured);
      const body = Readable.from(measured, { objectMode: false });
      // A body that breaks is shorter than announced, and no object; the client itself would wait for the rest.
      const giveUp = new AbortController();
      let broken: Error | undefined;
      body.on('error', (error) => {
        broken = error;
        giveUp.abort();
      });
      const put = { Bucket: bucket, Key: key, Body: body, ContentLength: expected.bytes };
      try {
        await attempt(() => client.send(new s3.PutObjectCommand(put), { abortSignal: giveUp.signal }));
      } catch (error) {
        throw broken ?? error;
      }
    },
    async read(key) {
      const found = await attempt(() => client.send(new s3.GetObjectCommand({ Bucket: bucket, Key: key })));
      if (!found?.Body) return undefined;
      return { bytes: found.ContentLength ?? 0, content: found.Body as Readable };
    },
    has,
    async remove(key) {
      await attempt(() => client.send(new s3.DeleteObjectCommand({ Bucket: bucket, Key: key })));
    },
    close: async () => client.destroy(),
  };
}

function clientConfig({ endpoint, region = 'us-east-1', accessKeyId, secretKeyFile }: Omit<S3Settings, 'bucket'>) {
  const config: S3ClientConfig = {
    region,
    maxAttempts: 2,
    logger: { debug: silent, info: silent, warn: silent, error: silent, trace: silent },
    requestHandler: { connectionTimeout: 1_000, requestTimeout: 20_000 },
    // Other servers than AWS do not know the newer checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint !== undefined && { endpoint, forcePathStyle: true }),
  };
  if (accessKeyId !== undefined && secretKeyFile !== undefined) {
    config.credentials = { accessKeyId, secretAccessKey: readFileSync(secretKeyFile, 'utf8').trim() };
  }
  return config;
}

/** Undefined where there is no such object. What the server says of its insides stays here. */
async function attempt<T>(send: () => Promise<T>): Promise<T | undefined> {
  try {
    return await send();
  } catch (error) {
    const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
    if ($metadata?.httpStatusCode === 404 && (error as Error).name !== 'NoSuchBucket') return undefined;
    throw error instanceof CloudhalError ? error : Object.assign(fail('storage_unavailable'), { cause: error });
  }
}

/** Errors are thrown; the client's own words for them go nowhere. */
function silent(): void {}

async function drain(content: AsyncIterable<Uint8Array>): Promise<void> {
  for await (const _ of content);
}
