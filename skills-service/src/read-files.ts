import { constants } from 'node:fs';
import { type FileHandle, open, readdir, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { Problem } from './problem.ts';

const limits = { fileBytes: 256 * 1024, files: 100, depth: 4 };

/**
 * The text files of a skill's folder by their path (`references/style.md`), sorted. All or nothing: a symlink, a file that
 * is not text or one that is too large is a `Problem` of the whole skill, so that its digest covers what its author sees.
 */
export async function readFiles(folder: string): Promise<Map<string, Buffer>> {
  const root = await realpath(folder);
  const paths: string[] = [];
  await walk(root, '', paths);
  const files = new Map<string, Buffer>();
  for (const path of paths.sort()) files.set(path, await readText(root, path));
  return files;
}

async function walk(root: string, under: string, found: string[], depth = 1): Promise<void> {
  if (depth > limits.depth) throw new Problem(`its folders are nested deeper than ${limits.depth}`);
  for (const entry of await readdir(join(root, under), { withFileTypes: true })) {
    if (entry.name.startsWith('.')) continue;
    const path = under === '' ? entry.name : `${under}/${entry.name}`;
    if (!/^[\w][\w .-]*$/.test(entry.name)) throw new Problem(`"${path}" is not a plain file name`);
    if (entry.isDirectory()) await walk(root, path, found, depth + 1);
    else if (entry.isFile()) found.push(path);
    else throw new Problem(`${path} is not a regular file; links are not followed`);
    if (found.length > limits.files) throw new Problem(`it has more than ${limits.files} files`);
  }
}

async function readText(root: string, path: string): Promise<Buffer> {
  const absolute = join(root, path);
  // What was a file a moment ago may be a link, or a pipe without a writer, by now.
  const file = await open(absolute, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    if (!(await realpath(absolute)).startsWith(root + sep)) throw new Problem(`${path} is outside the skill's folder`);
    const facts = await file.stat();
    if (!facts.isFile()) throw new Problem(`${path} is not a regular file`);
    if (facts.size > limits.fileBytes) throw new Problem(`${path} is larger than ${limits.fileBytes} bytes`);
    const bytes = await readAtMost(file, limits.fileBytes + 1);
    if (bytes.length > limits.fileBytes) throw new Problem(`${path} is larger than ${limits.fileBytes} bytes`);
    if (!isText(bytes)) throw new Problem(`${path} is not UTF-8 text`);
    return bytes;
  } finally {
    await file.close();
  }
}

async function readAtMost(file: FileHandle, max: number): Promise<Buffer> {
  const buffer = Buffer.alloc(max);
  let length = 0;
  while (length < max) {
    const { bytesRead } = await file.read(buffer, length, max - length, length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return Buffer.from(buffer.subarray(0, length));
}

function isText(bytes: Buffer): boolean {
  if (bytes.includes(0)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
}
