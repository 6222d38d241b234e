import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type BlobStore, blobKey, pieces, readWhole } from '@cloudhal/shared/blobs/blob-store';
import type { AssetBody } from '@cloudhal/shared/site/asset';
import { CommandError } from '../command-error.ts';
import type { ExportedNode } from './node-file.ts';

/** The files of assets in an export, each under the SHA-256 of its content. */
const folderName = 'files';
/** More than any asset may have. */
const longest = 100_000_000;

/** Writes the files of an asset into an export: what readers get, in each of its sizes. */
export async function writeFiles(blobs: BlobStore, node: ExportedNode, folder: string): Promise<void> {
  for (const hash of hashesOf(node)) {
    const blob = await blobs.read(blobKey(hash));
    if (!blob) continue;
    await mkdir(join(folder, folderName), { recursive: true });
    await writeFile(join(folder, folderName, hash), await readWhole(blob, longest));
  }
}

/** Stores the files that the assets of an export name; how many of them it does not have. Nothing but the right content is taken. */
export async function storeFiles(blobs: BlobStore, nodes: readonly ExportedNode[], folder: string): Promise<number> {
  let missing = 0;
  for (const hash of new Set(nodes.flatMap(hashesOf))) {
    if (await blobs.has(blobKey(hash))) continue;
    const content = await readFile(join(folder, folderName, hash)).catch(() => undefined);
    if (content === undefined) missing++;
    else await store(blobs, hash, content);
  }
  return missing;
}

async function store(blobs: BlobStore, hash: string, content: Buffer): Promise<void> {
  try {
    await blobs.write(blobKey(hash), pieces(content), { bytes: content.length, sha256: hash });
  } catch (error) {
    throw new CommandError(`${folderName}/${hash} is not the file that was exported: ${(error as Error).message}`);
  }
}

function hashesOf({ kind, body }: ExportedNode): string[] {
  if (kind !== 'asset') return [];
  const { hash, renditions } = body as Partial<AssetBody>;
  const named = [hash, ...(renditions ?? []).map((rendition) => rendition.hash)];
  return named.filter((name): name is string => typeof name === 'string' && /^[0-9a-f]{64}$/.test(name));
}
