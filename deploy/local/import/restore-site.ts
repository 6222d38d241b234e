import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CloudhalError } from '@cloudhal/shared/errors';
import { CommandError } from '../command-error.ts';
import type { House } from '../house.ts';
import { progress } from '../terminal.ts';
import { storeFiles } from './asset-files.ts';
import { batches } from './batches.ts';
import { type ExportedNode, fromFile, type Manifest, manifestName } from './node-file.ts';

/** Whether a folder is an export of a whole site. */
export async function readManifest(folder: string): Promise<Manifest | undefined> {
  const text = await readFile(join(folder, manifestName), 'utf8').catch(() => undefined);
  if (text === undefined) return undefined;
  try {
    const manifest = JSON.parse(text) as Manifest;
    if (manifest.format === 'cloudhal-site/1') return manifest;
  } catch {
    // Said below.
  }
  throw new CommandError(`${join(folder, manifestName)} is not one that this version reads. Nothing was imported.`);
}

/** What others need is there before them: types before their entries. */
const order = ['site', 'content_type', 'taxonomy', 'term', 'person', 'page'];

/**
 * Makes an exported site again, under the ids that it had, as drafts. What is there already stays as it is, so that it may be called
 * again; and the digest says whether all is as it was.
 */
export async function restoreSite(house: House, folder: string, manifest: Manifest): Promise<string> {
  const nodes = await readNodes(folder);
  const { id, ...site } = manifest.site;
  if (!(await house.sites()).some((there) => there.id === id)) await makeSite(house, id, site);
  // Before the nodes that show them.
  const missing = await storeFiles(house.blobs, nodes, folder);
  const bar = progress('Importing', nodes.length);
  let [done, skipped, different] = [0, 0, 0];
  for (const batch of batches(nodes)) {
    const { data } = await house.callTool(person, 'restore_nodes', { site: id, nodes: batch });
    const there = data as { skipped: number; different: number };
    skipped += there.skipped;
    different += there.different;
    done += batch.length;
    bar.step(done);
  }
  bar.end();
  const { data } = await house.callTool(person, 'export_nodes', { site: id });
  const isSame = (data as { digest: string }).digest === manifest.digest;
  const counts = [
    `${done - skipped} restored, ${skipped} there already, as drafts of ${site.slug}.`,
    ...(different > 0 ? [`${different} of those there are not as in the files, and stay as they are.`] : []),
    ...(missing > 0 ? [`${missing} files of assets are not in the export: they cannot be shown.`] : []),
  ].join('\n');
  return isSame
    ? `${counts}\nThe draft is exactly what was exported: its digest is ${manifest.digest}.`
    : `${counts}\nThe draft is not exactly what was exported: something in the files or on the site was changed since.`;
}

async function makeSite(house: House, id: string, site: Omit<Manifest['site'], 'id'>): Promise<void> {
  try {
    await house.restoreSite(id, site);
  } catch (error) {
    if (!(error instanceof CloudhalError) || error.code !== 'slug_taken') throw error;
    throw new CommandError(
      `Another site here has the address "${site.slug}". Import into a folder of its own, before \`init\` makes an example site there.`,
    );
  }
}

const person = { mode: 'bypass', scopes: '*' } as const;

async function readNodes(folder: string): Promise<ExportedNode[]> {
  const names = (await readdir(folder, { recursive: true })).filter(
    (name) => /\.(?:md|json)$/.test(name) && name !== manifestName,
  );
  const nodes = await Promise.all(names.map((name) => readNode(folder, name)));
  const place = ({ kind, deleted }: ExportedNode) => {
    const at = order.indexOf(kind);
    return (at < 0 ? order.length : at) + (deleted ? order.length + 1 : 0);
  };
  return nodes.toSorted((a, b) => place(a) - place(b) || (a.id < b.id ? -1 : 1));
}

async function readNode(folder: string, name: string): Promise<ExportedNode> {
  try {
    const node = fromFile(name, await readFile(join(folder, name), 'utf8'));
    if (node) return node;
  } catch {
    // Said below, with the file's name.
  }
  throw new CommandError(`${name} holds no exported node. Nothing was imported.`);
}
