import { Type } from 'typebox';
import { followRedirects, redirectAt } from '../../content/follow-redirects.ts';
import { redirectBody } from '../../content/redirects.ts';
import { ownAddresses } from '../../content/site-paths.ts';
import { Input, readTool } from '../../define-tool.ts';
import { Choice, Site } from '../arguments.ts';
import { pathAsked } from '../search/path-asked.ts';
import { RedirectItem } from './redirect-data.ts';

export const testRedirect = readTool({
  name: 'test_redirect',
  title: 'Test a redirect',
  description: 'Where a path leads, step by step, with the redirects of the draft or those that you propose.',
  scopes: ['redirects:read'],
  toolsets: ['release'],
  input: Input({
    site: Site,
    path: Type.String({ minLength: 1, maxLength: 2048, description: 'A path such as /old, or a whole URL.' }),
    proposed: Type.Optional(Type.Array(RedirectItem, { maxItems: 50, description: 'As if these were there, too.' })),
    view: Type.Optional(Choice(['draft', 'live'], 'Which state; draft when absent.')),
  }),
  output: Type.Object({
    path: Type.String(),
    outcome: Type.String(),
    chain: Type.Array(Type.Unsafe<object>({ type: 'object' })),
    location: Type.Optional(Type.String()),
  }),
  async run({ path: asked, proposed = [], view: track = 'draft' }, view) {
    const path = pathAsked(asked, (await view.head()).slug).normalize('NFC');
    const bodies = await Promise.all(proposed.map((item, index) => redirectBody(view, item, `proposed[${index}]`)));
    const planned = new Map(bodies.map((body) => [body.from, body]));
    const isThere = async (address: string) => (await ownAddresses(view, [address], track)).has(address);
    const find = async (at: string) => {
      // What is there is served; a redirect from there would not be asked.
      if (await isThere(at)) return undefined;
      return planned.get(at) ?? (await redirectAt(view, at, { track }))?.body;
    };
    const { hops, end, path: last = '' } = await followRedirects(path, find);
    const location = hops.at(-1)?.to;
    const found = end !== 'here' || (await isThere(last));
    const outcome = end !== 'here' ? end : !found ? 'not_found' : hops.length > 0 ? 'redirected' : 'served';
    const shadowed = [];
    for (const { from } of bodies) if (await isThere(from)) shadowed.push(from);
    return {
      data: {
        path,
        outcome,
        chain: hops.map(({ from, to, status }) => ({ from, ...(to !== undefined && { to }), status })),
        ...(location !== undefined && { location }),
      },
      ...(shadowed.length > 0 && { warnings: shadowed.map((from) => `${from} has something of its own.`) }),
    };
  },
});
