import { createHash } from 'node:crypto';
import { basename, extname } from 'node:path';
import type { SkillManifest } from '@cloudhal/shared/contracts';
import type { Static } from 'typebox';
import { parseFrontMatter } from './front-matter.ts';
import { Problem } from './problem.ts';
import { readFiles } from './read-files.ts';

export type Manifest = Static<typeof SkillManifest>;
export type SkillFile = { text: string; mimeType: string };
/** A skill in memory. What it serves are these files, found by their exact path; nothing a caller sends becomes a path on disk. */
export type Skill = { manifest: Manifest; files: ReadonlyMap<string, SkillFile> };

/** Reads and checks one skill's folder; throws a `Problem` or the error of a broken field. */
export async function loadSkill(folder: string, source: Manifest['source']): Promise<Skill> {
  const contents = await readFiles(folder);
  const markdown = contents.get('SKILL.md');
  if (markdown === undefined) throw new Problem('it has no SKILL.md');
  const head = parseFrontMatter(decode(markdown));
  if (head.name !== basename(folder)) throw new Problem(`its name "${head.name}" differs from its folder's`);
  const files = [...contents].map(([path, bytes]) => ({
    path,
    bytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    mimeType: mimeTypeOf(path),
  }));
  return {
    manifest: { ...head, digest: digestOf(files.map((file) => `${file.path}\0${file.sha256}`)), files, source },
    files: new Map(files.map(({ path, mimeType }) => [path, { text: decode(contents.get(path)!), mimeType }])),
  };
}

/** `sha256:<hex>` over lines. */
export function digestOf(lines: readonly string[]): string {
  return `sha256:${createHash('sha256').update(lines.join('\n')).digest('hex')}`;
}

/** Without loss: a byte order mark stays, so that what is served has the listed bytes and hash. */
function decode(bytes: Buffer): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

function mimeTypeOf(path: string): string {
  return mimeTypes[extname(path).toLowerCase()] ?? 'text/plain';
}

const mimeTypes: Record<string, string> = {
  '.md': 'text/markdown',
  '.json': 'application/json',
  '.yaml': 'application/yaml',
  '.yml': 'application/yaml',
  '.csv': 'text/csv',
};
