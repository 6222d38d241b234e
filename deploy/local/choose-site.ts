import { CommandError } from './command-error.ts';
import type { House } from './house.ts';
import { typed } from './own-command.ts';

/** The id of the site that a command is about: the one that is named, or the only one. */
export async function chooseSite(house: Pick<House, 'sites'>, wanted: string | undefined): Promise<string> {
  const sites = await house.sites();
  const named = sites.find((site) => site.slug === wanted || site.id === wanted);
  const found = wanted === undefined && sites.length === 1 ? sites[0] : named;
  if (found !== undefined) return found.id;
  const there = sites.map((site) => site.slug).join(', ') || `none yet (run \`${typed('start')}\` once)`;
  throw new CommandError(`Name the site with --site. There are: ${there}.`, { exitCode: 2 });
}
