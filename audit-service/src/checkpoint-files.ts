import { type FileHandle, mkdir, open, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { splitNotes } from './checkpoint.ts';

const extension = '.checkpoints';
/** More than one note has. */
const tailBytes = 8_192;

/**
 * Appends to a chain's file the notes that `newer` gives for its last one; they are on the disk when this resolves. The
 * caller sees to it that nobody else writes the file meanwhile. What a crash left unfinished at its end is cut off first.
 */
export async function appendNotes(
  folder: string,
  chain: string,
  newer: (last: string | undefined) => Promise<readonly string[]>,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const file = await open(join(folder, chain + extension), 'a+', 0o644);
  try {
    const { size } = await file.stat();
    const tail = await readTail(file, size);
    const last = splitNotes(tail).at(-1);
    const notes = await newer(last);
    if (notes.length === 0) return;
    const unfinished = last === undefined ? tail : tail.slice(tail.lastIndexOf(last) + last.length);
    if (unfinished.trim() !== '') await file.truncate(size - Buffer.byteLength(unfinished));
    await file.appendFile(notes.map((note) => `\n${note}`).join(''));
    await file.sync();
    // The name of a file that is new has to survive as well.
    if (size === 0) await syncFolder(folder);
  } finally {
    await file.close();
  }
}

/** The notes in a folder's files by chain, in the order in which they were written. */
export async function readNotes(folder: string): Promise<Map<string, string[]>> {
  const notes = new Map<string, string[]>();
  for (const name of (await readdir(folder)).filter((name) => name.endsWith(extension)).sort()) {
    notes.set(name.slice(0, -extension.length), splitNotes(await readFile(join(folder, name), 'utf8')));
  }
  return notes;
}

async function readTail(file: FileHandle, size: number): Promise<string> {
  const length = Math.min(size, tailBytes);
  const buffer = Buffer.alloc(length);
  await file.read(buffer, 0, length, size - length);
  return buffer.toString('utf8');
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
