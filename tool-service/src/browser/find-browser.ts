import { access, constants } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

/** What Chromium is called; the headless shell goes first, which has no windows to load. */
const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** The path of a Chromium of this machine. */
export async function findBrowser(path = process.env.PATH ?? ''): Promise<string | undefined> {
  const folders = path.split(delimiter).filter((folder) => folder !== '');
  const candidates = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  for (const candidate of [...candidates, ...elsewhere]) {
    if (await isExecutable(candidate)) return candidate;
  }
  return undefined;
}

export async function isExecutable(path: string): Promise<boolean> {
  return access(path, constants.X_OK).then(
    () => true,
    () => false,
  );
}
