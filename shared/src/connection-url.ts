import { readFileSync } from 'node:fs';

/** The URL of a store with the password of a file in it; the URL as it is where there is no file. */
export function urlWithPassword(url: string, passwordFile?: string): string {
  if (passwordFile === undefined || passwordFile === '') return url;
  const password = read(passwordFile);
  if (password === '') throw new Error(`The password file ${passwordFile} is empty.`);
  const complete = new URL(url);
  complete.password = encodeURIComponent(password);
  return complete.href;
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (error) {
    throw new Error(`The password file ${file} cannot be read (${(error as NodeJS.ErrnoException).code}).`);
  }
}
