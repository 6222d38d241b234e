import { fail } from '@cloudhal/shared/errors';
import { quote } from '@cloudhal/shared/quote';
import { Type } from 'typebox';
import { subjectOf } from '../../changes/describe.ts';
import { leadAway } from '../../content/lead-away.ts';
import { Input, writeTool } from '../../define-tool.ts';
import type { Draft } from '../../graph/draft.ts';
import { takeAssetsOff } from '../../publish/follow-assets.ts';
import { Note, Site } from '../arguments.ts';
import { ChangesData, changesData } from './change-data.ts';

const Item = Type.Object(
  {
    node: Type.String({ minLength: 1, maxLength: 64, description: "The node's id." }),
    rev: Type.Integer({ minimum: 1, description: 'The rev of its draft that you read.' }),
  },
  { additionalProperties: false },
);

export const unpublish = writeTool({
  name: 'unpublish',
  title: 'Take off the live site',
  description: 'Readers no longer see these nodes; their drafts stay as they are and can be published again.',
  effect: 'publish',
  scopes: ['publish'],
  toolsets: ['release'],
  hints: { destructive: true, idempotent: true },
  input: Input({
    site: Site,
    items: Type.Array(Item, { minItems: 1, maxItems: 50, description: 'What to take off.' }),
    redirect: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 2048,
        description:
          'Where readers are led on at once: a path of the site or an https address; gone for 410. A person decides.',
      }),
    ),
    note: Note,
  }),
  output: ChangesData,
  exclusive: true,
  assess: async (_, draft, dry) => {
    const { title } = await draft.head();
    return { summary: { ...dry.summary, title: `Take ${subjectOf(draft.changes)} off ${quote(title)}` } };
  },
  async run({ items, redirect }, draft) {
    const live = new Map(
      (
        await draft.nodes(
          items.map((item) => item.node),
          { track: 'live' },
        )
      ).map((node) => [node.id, node]),
    );
    const seen = new Set<string>();
    for (const [index, { node: id, rev }] of items.entries()) {
      if (seen.has(id)) throw fail('validation_failed', { path: `items[${index}].node`, expected: 'each node once' });
      seen.add(id);
      const node = live.get(id);
      if (!node) throw fail('validation_failed', { path: `items[${index}].node`, expected: 'a node that is live' });
      if (node.kind !== 'page' && node.kind !== 'entry' && node.kind !== 'person' && node.kind !== 'asset') {
        const expected = 'a page, an entry, a person or an asset';
        throw fail('validation_failed', { path: `items[${index}].node`, expected });
      }
      const [drafted] = await draft.nodes([id]);
      // Changes nothing, and refuses a stale rev.
      if (drafted) await draft.save(node.kind, id, rev, (body) => body);
      else if (node.rev !== rev) throw fail('rev_conflict', { node: id, sent: rev, currentRev: node.rev });
    }
    await draft.place('live', new Map(items.map((item) => [item.node, undefined])));
    await takeAssetsOff(draft);
    if (redirect !== undefined) await leadAway(draft, [...live.values()], redirect);
    const below = await pagesBelow(draft, [...live.keys()]);
    const translations = await translationsOf(draft, [...live.keys()]);
    const warnings = [
      ...(below.length > 0 ? [`These pages under them stay live: ${below.join(', ')}.`] : []),
      ...(translations.length > 0 ? [`These translations of them stay live: ${translations.join(', ')}.`] : []),
    ];
    return { data: changesData(draft), ...(warnings.length > 0 && { warnings }) };
  },
});

async function translationsOf(draft: Draft, ids: string[]): Promise<string[]> {
  const rows = await draft.rows<{ id: string }>(
    `SELECT e.source AS id FROM tools.edge e WHERE e.site_id = $1 AND e.track = 'live' AND e.role = 'translation'
       AND e.target = ANY($2) AND NOT e.source = ANY($2) ORDER BY 1 LIMIT 20`,
    [ids],
  );
  return rows.map((row) => row.id);
}

async function pagesBelow(draft: Draft, ids: string[]): Promise<string[]> {
  const rows = await draft.rows<{ path: string }>(
    `SELECT path FROM tools.ver WHERE site_id = $1 AND track = 'live' AND parent = ANY($2) AND NOT node_id = ANY($2)
       AND to_seq IS NULL ORDER BY path LIMIT 20`,
    [ids],
  );
  return rows.map((row) => row.path);
}
