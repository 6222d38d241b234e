import { stat, writeFile } from 'node:fs/promises';
import { CloudhalError } from '@cloudhal/shared/errors';
import { chooseSite } from '../choose-site.ts';
import { CommandError } from '../command-error.ts';
import { type House, withHouse } from '../house.ts';
import { batches } from '../import/batches.ts';
import { type ImportedDocument, type Source, uniqueSlugs } from '../import/document.ts';
import { readGhost } from '../import/read-ghost.ts';
import { readMarkdown } from '../import/read-markdown.ts';
import { readWordPress } from '../import/read-wordpress.ts';
import { readManifest, restoreSite } from '../import/restore-site.ts';
import { findDataFolder, makeDataFolder } from '../project.ts';
import { progress } from '../terminal.ts';

export type ImportOptions = {
  type: string;
  site?: string;
  onExisting: 'skip' | 'fail';
  /** Takes the pages of WordPress and Ghost, too. */
  pages?: boolean;
  dryRun?: boolean;
  /** A file for what became of each text, as JSON. */
  report?: string;
  data: string;
};

type Reported = { slug: string; status: string; id?: string; warnings?: string[]; problem?: string };
type Line = Reported & Pick<ImportedDocument, 'was'>;

/** Imports texts as drafts, in batches of one snapshot each, and says what became of each. Called again it goes on where it stopped. */
export async function importContent(path: string, options: ImportOptions): Promise<void> {
  const manifest = await readManifest(path);
  if (manifest !== undefined) {
    const forTexts = options.dryRun ? '--dry-run' : options.report === undefined ? undefined : '--report';
    if (forTexts !== undefined)
      throw new CommandError(`What was exported is imported whole; ${forTexts} is for texts.`, { exitCode: 2 });
    // A new project as well: init would make an example site first.
    console.log(await withHouse(makeDataFolder(options.data), (house) => restoreSite(house, path, manifest)));
    return;
  }
  const { documents, skipped } = await readSource(path, options);
  const texts = uniqueSlugs(documents);
  await withHouse(findDataFolder(options.data), async (house) => {
    const site = await chooseSite(house, options.site);
    const bar = progress(options.dryRun ? 'Trying' : 'Importing', texts.length);
    const lines: Line[] = [];
    for (const batch of batches(texts)) {
      lines.push(...(await importBatch(house, site, batch, options)));
      bar.step(lines.length);
    }
    bar.end();
    if (options.report !== undefined) await writeFile(options.report, `${JSON.stringify(lines, null, 2)}\n`);
    console.log(summary(lines, skipped, options.dryRun ?? false));
    if (lines.some(({ status }) => status === 'failed')) throw new CommandError('Some texts were not imported.');
  });
}

async function readSource(path: string, { pages }: ImportOptions): Promise<Source> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) throw new CommandError(`${path} cannot be read as a folder or a file.`);
  if (found.isDirectory()) return readMarkdown(path);
  const asked = pages === undefined ? {} : { pages };
  if (/\.xml$/i.test(path)) return readWordPress(path, asked);
  if (/\.json$/i.test(path)) return readGhost(path, asked);
  throw new CommandError(
    `${path} is neither a folder of Markdown files, nor an export of WordPress (.xml) or Ghost (.json).`,
  );
}

/** The texts of a batch that can be imported; those that cannot are told, and the others imported without them. */
async function importBatch(
  house: House,
  site: string,
  batch: readonly ImportedDocument[],
  { type, onExisting, dryRun = false }: ImportOptions,
): Promise<Line[]> {
  const call = async (documents: readonly ImportedDocument[]) => {
    const items = documents.map(({ slug, frontmatter, body }) => ({ slug, frontmatter, body }));
    const args = { site, type, items, onExisting, dryRun };
    const { data } = await house.callTool({ mode: 'bypass', scopes: '*' }, 'import_entries', args);
    return (data as { items: Reported[] }).items.map((item, index) => lineOf(documents[index]!, item));
  };
  try {
    return await call(batch);
  } catch (error) {
    const items = error instanceof CloudhalError ? error.body.details?.items : undefined;
    if (!Array.isArray(items)) {
      if (batch.length > 1 || !(error instanceof CloudhalError) || !isAboutTheText(error)) throw error;
      return [lineOf(batch[0]!, { slug: batch[0]!.slug, status: 'failed', problem: error.body.message })];
    }
    const reported = items as Reported[];
    const bad = reported.flatMap((item, index) => (item.status === 'failed' ? [lineOf(batch[index]!, item)] : []));
    const good = batch.filter((_, index) => reported[index]?.status !== 'failed');
    return [...bad, ...(good.length > 0 ? await call(good) : [])];
  }
}

function isAboutTheText({ code }: CloudhalError): boolean {
  return ['validation_failed', 'limit_exceeded', 'payload_too_large', 'invalid_unicode'].includes(code);
}

function lineOf({ was, notes }: ImportedDocument, item: Reported): Line {
  const warnings = item.status === 'skipped' ? [] : [...(item.warnings ?? []), ...notes];
  const { slug, status, id, problem } = item;
  return {
    slug,
    status,
    was,
    ...(id !== undefined && { id }),
    ...(problem !== undefined && { problem }),
    ...(warnings.length > 0 && { warnings }),
  };
}

function summary(lines: readonly Line[], skipped: Source['skipped'], dryRun: boolean): string {
  const count = (of: readonly string[]) => {
    const counts = new Map<string, number>();
    for (const word of of) counts.set(word, (counts.get(word) ?? 0) + 1);
    return [...counts].map(([word, number]) => `${number} ${word}`).join(', ');
  };
  const created = lines.filter(({ status }) => status === 'created');
  const known = created.filter(({ was }) => was !== 'unknown');
  return [
    `${count(lines.map(({ status }) => status))}${dryRun ? ' (nothing was stored)' : ''}`,
    ...(known.length > 0 ? [`All are drafts here. They were: ${count(known.map(({ was }) => was))}.`] : []),
    ...skipped.map(({ what, reason }) => `Left out: ${what}; ${reason}.`),
    ...lines.flatMap(({ slug, problem, warnings = [] }) =>
      [...(problem === undefined ? [] : [`not imported: ${problem}`]), ...warnings].map((line) => `  ${slug}: ${line}`),
    ),
  ].join('\n');
}
