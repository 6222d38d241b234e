import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The absolute path of a file or folder that ships with the product, such as `policy-service/migrations`: the nearest
 * folder above this module that has it. Works from source, from `dist`, in a container and in the npm bundle.
 */
export function houseFile(path: string): string {
  const found = findHouseFile(path);
  if (found === undefined) throw new Error(`The installation is incomplete: ${path} is missing.`);
  return found;
}

/** The same for what may be missing in a checkout that was not built. */
export function findHouseFile(path: string): string | undefined {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, path);
    if (existsSync(candidate)) return candidate;
    if (dirname(folder) === folder) return undefined;
  }
}
