import { readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import { parse } from 'yaml';
import { CommandError } from '../command-error.ts';
import { type House, withHouse } from '../house.ts';
import { findDataFolder } from '../project.ts';
import { progress } from '../terminal.ts';

export type ImportOptions = { type: string; site?: string; onExisting: 'skip' | 'fail'; data: string };

type Document = { slug: string; frontmatter: Record<string, unknown>; body: string };
type Report = { items: { slug: string; status: string; warnings?: string[] }[] };

// The limits of import_entries, with room for the JSON around the text.
const batchItems = 50;
const batchBytes = 300 * 1024;

/** Imports every Markdown file below `folder` as a draft, in batches of one snapshot each. */
export async function importFolder(folder: string, options: ImportOptions): Promise<void> {
  const files = await markdownFiles(folder);
  if (files.length === 0) throw new CommandError(`There are no .md files in ${folder}.`);
  const documents = uniqueSlugs(await Promise.all(files.map((file) => readDocument(folder, file))));

  await withHouse(findDataFolder(options.data), async (house) => {
    const site = await chooseSite(house, options.site);
    const bar = progress('Importing', documents.length);
    const counts = new Map<string, number>();
    const warned: string[] = [];
    let done = 0;
    for (const batch of batches(documents)) {
      const { data } = await house.callTool({ mode: 'bypass', scopes: '*' }, 'import_entries', {
        site,
        type: options.type,
        items: batch,
        onExisting: options.onExisting,
        dryRun: false,
      });
      for (const { slug, status, warnings = [] } of (data as Report).items) {
        counts.set(status, (counts.get(status) ?? 0) + 1);
        warned.push(...warnings.map((warning) => `  ${slug}: ${warning}`));
      }
      done += batch.length;
      bar.step(done);
    }
    bar.end();
    console.log([...counts].map(([status, count]) => `${count} ${status}`).join(', '));
    if (warned.length > 0) console.log(warned.join('\n'));
  });
}

async function chooseSite(house: House, wanted: string | undefined): Promise<string> {
  const sites = await house.sites();
  const found =
    wanted === undefined
      ? sites.length === 1
        ? sites[0]
        : undefined
      : sites.find((site) => site.slug === wanted || site.id === wanted);
  if (found === undefined) {
    throw new CommandError(
      `Name the site with --site. There are: ${sites.map((site) => site.slug).join(', ') || 'none yet (run cloudhal start once)'}.`,
      { exitCode: 2 },
    );
  }
  return found.id;
}

async function markdownFiles(folder: string): Promise<string[]> {
  try {
    const names = await readdir(folder, { recursive: true });
    return names.filter((name) => /\.(?:md|markdown)$/i.test(name)).sort();
  } catch {
    throw new CommandError(`${folder} cannot be read as a folder.`);
  }
}

/** Frontmatter, where the file has some, and the rest byte for byte. */
async function readDocument(folder: string, file: string): Promise<Document> {
  const text = await readFile(join(resolve(folder), file), 'utf8');
  const match = /^---\r?\n([\s\S]*?)\r?\n---\r?\n/.exec(text);
  const frontmatter = match === null ? {} : frontmatterOf(match[1] ?? '', file);
  const body = match === null ? text : text.slice(match[0].length);
  const title = frontmatter.title ?? /^#\s+(.+)$/m.exec(body)?.[1] ?? basename(file).replace(/\.[^.]+$/, '');
  const slug = typeof frontmatter.slug === 'string' ? frontmatter.slug : slugOf(file);
  return { slug, frontmatter: { ...frontmatter, title: String(title).slice(0, 300) }, body };
}

function frontmatterOf(text: string, file: string): Record<string, unknown> {
  try {
    const value: unknown = parse(text);
    if (value === null || value === undefined) return {};
    if (typeof value === 'object' && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {
    // Said below, with the file's name.
  }
  throw new CommandError(`The frontmatter of ${file} is not a YAML mapping. Nothing was imported.`);
}

function slugOf(file: string): string {
  const words = file
    .replace(/\.[^.]+$/, '')
    .split(sep)
    .join('-')
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return words.slice(-96).replace(/^-+/, '') || 'untitled';
}

function uniqueSlugs(documents: Document[]): Document[] {
  const seen = new Map<string, number>();
  return documents.map((document) => {
    const count = (seen.get(document.slug) ?? 0) + 1;
    seen.set(document.slug, count);
    return count === 1 ? document : { ...document, slug: `${document.slug.slice(0, 90)}-${count}` };
  });
}

function* batches(documents: Document[]): Generator<Document[]> {
  let batch: Document[] = [];
  let bytes = 0;
  for (const document of documents) {
    const size = Buffer.byteLength(JSON.stringify(document));
    if (batch.length > 0 && (batch.length === batchItems || bytes + size > batchBytes)) {
      yield batch;
      batch = [];
      bytes = 0;
    }
    batch.push(document);
    bytes += size;
  }
  if (batch.length > 0) yield batch;
}
