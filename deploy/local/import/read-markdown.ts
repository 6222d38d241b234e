import { readdir, readFile } from 'node:fs/promises';
import { basename, join, resolve, sep } from 'node:path';
import { parse, YAMLError } from 'yaml';
import { CommandError } from '../command-error.ts';
import { type ImportedDocument, type Source, slugOf } from './document.ts';

/** Every Markdown file below a folder, with the frontmatter of those that have some. */
export async function readMarkdown(folder: string): Promise<Source> {
  const files = await markdownFiles(folder);
  if (files.length === 0) throw new CommandError(`There are no .md files in ${folder}.`);
  const read = await Promise.allSettled(files.map((file) => readDocument(folder, file)));
  const problems = read.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
  const unforeseen = problems.find((problem) => !(problem instanceof CommandError));
  if (unforeseen !== undefined) throw unforeseen;
  if (problems.length > 0) throw new CommandError(['Nothing was imported.', ...problems.map(lineOf)].join('\n'));
  return { documents: read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])), skipped: [] };
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
async function readDocument(folder: string, file: string): Promise<ImportedDocument> {
  const text = await readFile(join(resolve(folder), file), 'utf8');
  const { head, body } = splitFrontmatter(text);
  const { draft, ...frontmatter } = head === undefined ? {} : frontmatterOf(head, file);
  const title = frontmatter.title ?? /^#\s+(.+)$/m.exec(body)?.[1] ?? basename(file).replace(/\.[^.]+$/, '');
  const path = file
    .replace(/\.[^.]+$/, '')
    .split(sep)
    .join('-');
  const slug = typeof frontmatter.slug === 'string' ? frontmatter.slug : slugOf(path);
  const was = typeof draft === 'boolean' ? (draft ? 'draft' : 'published') : 'unknown';
  return { slug, frontmatter: { ...frontmatter, title: String(title).slice(0, 300) }, body, was, notes: [] };
}

/** What stands between two lines of three hyphens at the very top, and the rest. */
export function splitFrontmatter(text: string): { head?: string; body: string } {
  const match = /^\uFEFF?---[ \t]*\r?\n(?:([\s\S]*?)\r?\n)??---[ \t]*(?:\r?\n|$)/.exec(text);
  return match === null ? { body: text } : { head: match[1] ?? '', body: text.slice(match[0].length) };
}

function frontmatterOf(text: string, file: string): Record<string, unknown> {
  let value: unknown;
  try {
    // The library's limit on aliases keeps a small file from becoming a large value.
    value = parse(text, { maxAliasCount: 100, prettyErrors: false });
  } catch (error) {
    const at = error instanceof YAMLError ? `, line ${text.slice(0, error.pos[0]).split('\n').length + 1}` : '';
    throw new CommandError(`${file}${at}: the frontmatter is not YAML: ${(error as Error).message}`);
  }
  if (value === null || value === undefined) return {};
  if (typeof value === 'object' && !Array.isArray(value)) return plain(value as Record<string, unknown>);
  throw new CommandError(`${file}: the frontmatter is not a list of names with values.`);
}

function lineOf({ message }: Error): string {
  return `  ${message}`;
}

/** As JSON has it: dates become text. */
function plain(value: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(JSON.stringify(value));
}
