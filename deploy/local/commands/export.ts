import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { chooseSite } from '../choose-site.ts';
import { CommandError } from '../command-error.ts';
import { type House, withHouse } from '../house.ts';
import { writeFiles } from '../import/asset-files.ts';
import { type ExportedNode, type Manifest, manifestName, toFile } from '../import/node-file.ts';
import { findDataFolder } from '../project.ts';

export type ExportOptions = { site?: string; data: string };

/** Writes the draft of a site into a new folder, from which `cloudhal import` makes the same site again. */
export async function exportSite(folder: string, options: ExportOptions): Promise<void> {
  const there = await readdir(folder).catch(() => []);
  if (there.length > 0) throw new CommandError(`${folder} is not empty. Name a new folder.`, { exitCode: 2 });
  await withHouse(findDataFolder(options.data), async (house) => {
    const site = await chooseSite(house, options.site);
    const written = await writeNodes(house, site, folder);
    const manifest: Manifest = { format: 'cloudhal-site/1', ...written };
    // Last: a folder without it is no export.
    await writeFile(join(folder, manifestName), `${JSON.stringify(manifest, null, 2)}\n`);
    console.log(
      `${manifest.nodes} nodes of ${manifest.site.slug} are in ${folder}, with the digest ${manifest.digest}.`,
    );
  });
}

type Answer = { snapshot: string; digest: string; nodes: ExportedNode[]; more: boolean };

async function writeNodes(house: House, site: string, folder: string): Promise<Omit<Manifest, 'format'>> {
  let nodes = 0;
  let settings: Manifest['site'] | undefined;
  let after: string | undefined;
  let snapshot: string | undefined;
  for (;;) {
    const args = { site, ...(after !== undefined && { after, snapshot }) };
    const { data } = await house.callTool({ mode: 'bypass', scopes: '*' }, 'export_nodes', args);
    const page = data as Answer;
    ({ snapshot } = page);
    for (const node of page.nodes) {
      if (node.kind === 'site') settings = settingsOf(node);
      await writeFiles(house.blobs, node, folder);
      const { path, text } = toFile(node);
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
      nodes++;
      after = node.id;
    }
    if (!page.more && settings !== undefined)
      return { site: settings, snapshot: page.snapshot, digest: page.digest, nodes };
  }
}

function settingsOf({ id, body }: ExportedNode): Manifest['site'] {
  const { slug, title, locales, defaultLocale } = body as {
    slug: string;
    title: string;
    locales: string[];
    defaultLocale: string;
  };
  return { id, slug, title, locales: [defaultLocale, ...locales.filter((locale) => locale !== defaultLocale)] };
}
