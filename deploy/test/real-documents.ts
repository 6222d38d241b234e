import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { houseFile } from '@cloudhal/shared/house-file';

export type Document = { slug: string; frontmatter: { title: string }; body: string };

/** Real Markdown files of at most 60 kB from the installed packages: their READMEs, sorted by name, then what else they tell. */
export async function realDocuments(count: number, prefix = 'readme'): Promise<Document[]> {
  const documents: Document[] = [];
  for (const { name, path } of await installedTexts()) {
    if (documents.length === count) return documents;
    const body = await readFile(path, 'utf8').catch(() => '');
    const plain = body.length > 0 && body.length < 60_000 && !body.includes('\u0000') && !body.includes('\ufffd');
    const slug = name
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '');
    if (plain && slug !== '')
      documents.push({ slug: `${prefix}-${slug}`, frontmatter: { title: `About ${name}` }, body });
  }
  if (documents.length === count) return documents;
  throw new Error(`Only ${documents.length} documents are installed.`);
}

async function installedTexts(): Promise<{ name: string; path: string }[]> {
  const root = houseFile('node_modules');
  const list = async (folder: string) => (await readdir(folder)).filter((name) => !name.startsWith('.')).sort();
  const [plain, scoped]: [string[], string[]] = [[], []];
  for (const name of await list(root)) {
    if (!name.startsWith('@')) plain.push(name);
    // Our own rooms are linked there, too.
    else if (name !== '@cloudhal') scoped.push(...(await list(join(root, name))).map((inner) => `${name}/${inner}`));
  }
  const packages = [...plain, ...scoped];
  const others = await Promise.all(
    packages.map(async (name) => {
      const files = await readdir(join(root, name)).catch(() => []);
      return files
        .filter((file) => /\.md$/i.test(file) && file !== 'README.md')
        .sort()
        .map((file) => ({ name: `${name} ${file.slice(0, -3)}`, path: join(root, name, file) }));
    }),
  );
  return [...packages.map((name) => ({ name, path: join(root, name, 'README.md') })), ...others.flat()];
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
