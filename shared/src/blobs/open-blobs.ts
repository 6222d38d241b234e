import type { Database } from '../database.ts';
import type { BlobStore } from './blob-store.ts';
import { createPostgresBlobs } from './postgres-blobs.ts';
import { connectS3Blobs } from './s3-blobs.ts';

export type MediaConfig = {
  mediaS3Bucket: string | undefined;
  mediaS3Endpoint: string | undefined;
  mediaS3Region: string | undefined;
  mediaS3AccessKeyId: string | undefined;
  mediaS3SecretKeyFile: string | undefined;
};

/** The store that the configuration names: a bucket where there is one, else PostgreSQL. */
export async function openBlobs(config: MediaConfig, database: Database): Promise<BlobStore> {
  const { mediaS3Bucket: bucket, mediaS3Endpoint: endpoint, mediaS3Region: region } = config;
  const { mediaS3AccessKeyId: accessKeyId, mediaS3SecretKeyFile: secretKeyFile } = config;
  if (bucket === undefined) return createPostgresBlobs(database);
  if ((accessKeyId === undefined) !== (secretKeyFile === undefined)) {
    throw new Error('CLOUDHAL_MEDIA_S3_ACCESS_KEY_ID and CLOUDHAL_MEDIA_S3_SECRET_KEY_FILE go together.');
  }
  return connectS3Blobs({
    bucket,
    ...(endpoint !== undefined && { endpoint }),
    ...(region !== undefined && { region }),
    ...(accessKeyId !== undefined && { accessKeyId }),
    ...(secretKeyFile !== undefined && { secretKeyFile }),
  });
}
