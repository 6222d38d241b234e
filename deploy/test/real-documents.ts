import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { houseFile } from '@cloudhal/shared/house-file';

export type Document = { slug: string; frontmatter: { title: string }; body: string };

/** Real Markdown files: the READMEs of the installed packages, those of at most 60 kB, sorted by name. */
export async function realDocuments(count: number, prefix = 'readme'): Promise<Document[]> {
  const root = houseFile('node_modules');
  const names = (await readdir(root)).filter((name) => !name.startsWith('.') && !name.startsWith('@')).sort();
  const documents: Document[] = [];
  for (const name of names) {
    if (documents.length === count) return documents;
    const body = await readFile(join(root, name, 'README.md'), 'utf8').catch(() => '');
    const plain = body.length > 0 && body.length < 60_000 && !body.includes('\u0000') && !body.includes('\ufffd');
    const slug = name.replace(/[^a-z0-9]+/g, '-').replace(/^-|-$/g, '');
    if (plain && slug !== '')
      documents.push({ slug: `${prefix}-${slug}`, frontmatter: { title: `About ${name}` }, body });
  }
  throw new Error(`Only ${documents.length} READMEs are installed.`);
}

/** Batches that fit into one import_entries call. */
export function importBatches(documents: readonly Document[]): Document[][] {
  const batches: Document[][] = [[]];
  let bytes = 0;
  for (const document of documents) {
    const size = Buffer.byteLength(JSON.stringify(document));
    if ((batches.at(-1)?.length ?? 0) === 50 || bytes + size > 300_000) {
      batches.push([]);
      bytes = 0;
    }
    batches.at(-1)?.push(document);
    bytes += size;
  }
  return batches;
}
