import { relative } from 'node:path';
import { findHouseFile } from '@cloudhal/shared/house-file';

/** There in a checkout, not in the package, which is run by its name. */
const built = findHouseFile('deploy/dist/local/cloudhal.js');

/** What an MCP client starts, whatever its folder, to run this command. */
export const ownCommand: { command: string; args: string[] } =
  built === undefined ? { command: 'npx', args: ['cloudhal'] } : { command: 'node', args: [built] };

/** What a person types in this folder to run the command with these arguments. */
export function typed(args: string): string {
  return `${built === undefined ? 'npx cloudhal' : `node ${quoted(relative(process.cwd(), built))}`} ${args}`;
}

/** As shells take one word. */
export function quoted(word: string): string {
  return /^[\w./:@\\-]+$/.test(word) ? word : `"${word}"`;
}
