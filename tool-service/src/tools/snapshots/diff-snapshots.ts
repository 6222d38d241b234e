import { nodeKinds } from '@cloudhal/shared/site/shapes';
import { Type } from 'typebox';
import { getNode } from '../../content/find-node.ts';
import { Input, readTool } from '../../define-tool.ts';
import type { At, Track } from '../../graph/node.ts';
import { Choice, Cursor, Limit, Site } from '../arguments.ts';
import { bytesPerToken } from '../tokens.ts';
import { diffFormats, type SetApart, setApart } from './difference-data.ts';

const State = (description: string) => Type.String({ minLength: 1, maxLength: 64, description });

export const diffSnapshots = readTool({
  name: 'diff_snapshots',
  title: 'Compare two states',
  description:
    'The nodes that differ between two states, with what changed in each: b against a. From live to draft is what a publish would change.',
  scopes: ['snapshots:read'],
  toolsets: ['editorial', 'release'],
  input: Input({
    site: Site,
    a: State("The earlier state: a snapshot's id, draft or live."),
    b: State("The later state: a snapshot's id, draft or live."),
    track: Type.Optional(Choice(['draft', 'live'], 'Which tree of a snapshot; draft when absent.')),
    kinds: Type.Optional(
      Type.Array(Choice(nodeKinds, 'A kind.'), { maxItems: 20, description: 'Only these kinds of nodes.' }),
    ),
    node: Type.Optional(Type.String({ minLength: 1, maxLength: 2048, description: 'Only this node: its id or path.' })),
    format: Type.Optional(
      Choice(diffFormats, 'summary (default): what changed; fields: with values; body: with a diff of the text.'),
    ),
    maxTokens: Type.Optional(
      Type.Integer({
        minimum: 500,
        maximum: 50_000,
        description: 'Ends the page at about so many tokens; 8000 when absent.',
      }),
    ),
    cursor: Cursor,
    limit: Limit(),
  }),
  output: Type.Object({ differences: Type.Array(Type.Unsafe<object>({ type: 'object' })) }),
  async run({ a, b, track = 'draft', kinds, node, format = 'summary', maxTokens = 8_000, cursor, limit = 25 }, view) {
    const id = node === undefined ? undefined : (await getNode(view, node, { trash: true })).id;
    const filter = {
      ...(kinds && { kinds }),
      ...(id !== undefined && { node: id }),
      ...(cursor !== undefined && { cursor }),
    };
    const read = (count: number) => view.differences(stateOf(a, track), stateOf(b, track), { ...filter, limit: count });
    const page = await read(limit);
    const shown = page.items.map((item) => setApart(item, format, maxTokens));
    const fit = fitting(shown, maxTokens);
    // Read again, for the cursor that goes on behind what is shown.
    const next = fit < shown.length ? (await read(fit)).cursor : page.cursor;
    const untrusted = shown.slice(0, fit).flatMap((item) => item.untrusted ?? []);
    return {
      data: {
        differences: shown.slice(0, fit).map((item) => item.known),
        ...(untrusted.length > 0 && { untrusted }),
      },
      ...(next !== undefined && { cursor: next }),
      ...(fit < shown.length && { truncated: true }),
    };
  },
});

function stateOf(name: string, track: Track): At {
  return name === 'draft' || name === 'live' ? { track: name } : { track, snapshot: name };
}

/** How many of them fit, at least one. */
function fitting(shown: readonly SetApart[], maxTokens: number): number {
  let left = maxTokens * bytesPerToken;
  const over = shown.findIndex((item) => {
    left -= Buffer.byteLength(JSON.stringify(item));
    return left < 0;
  });
  return over < 0 ? shown.length : Math.max(over, 1);
}
