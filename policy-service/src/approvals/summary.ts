import type { Summary } from '@cloudhal/shared/contracts';
import { quote } from '@cloudhal/shared/quote';
import type { Static } from 'typebox';
import type { Prepared } from '../prepare.ts';

const maxLines = 30;

/** What a person is shown of a call whose change is not computed: the tool, and its arguments as they are. */
export function summaryOfArguments({
  tool,
  args,
  site,
}: Pick<Prepared, 'tool' | 'args' | 'site'>): Static<typeof Summary> {
  const lines = Object.entries(args)
    .filter(([name]) => name !== 'site')
    .map(([name, value]) => `${quote(name, 40).slice(1, -1)}: ${shown(value)}`);
  const hidden = lines.length - maxLines;
  return {
    title: site === undefined ? tool.title : `${tool.title} on ${quote(site.title)}`,
    lines: hidden > 0 ? [...lines.slice(0, maxLines), `and ${hidden} more`] : lines,
  };
}

function shown(value: unknown): string {
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  return quote(typeof value === 'string' ? value : JSON.stringify(value), 200);
}
