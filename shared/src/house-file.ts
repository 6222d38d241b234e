import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The absolute path of a file or folder that ships with the product, such as `policy-service/migrations`: the nearest
 * folder above this module that has it. Works from source, from `dist`, in a container and in the npm bundle.
 */
export function houseFile(path: string): string {
  for (let folder = import.meta.dirname; ; folder = dirname(folder)) {
    const candidate = join(folder, path);
    if (existsSync(candidate)) return candidate;
    if (dirname(folder) === folder) throw new Error(`The installation is incomplete: ${path} is missing.`);
  }
}
