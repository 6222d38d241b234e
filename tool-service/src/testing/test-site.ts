import { houseFile } from '@cloudhal/shared/house-file';
import { uuidv7 } from '@cloudhal/shared/ids';
import { migrate } from '@cloudhal/shared/migrate';
import type { EntryBody, PageBody } from '@cloudhal/shared/site/shapes';
import { testDatabase } from '@cloudhal/shared/testing/test-database';
import type { ToolResult } from '@cloudhal/shared/tool';
import type { Answer } from '../define-tool.ts';
import { createSite } from '../graph/create-site.ts';
import { digestText, recomputeDigest } from '../graph/digest.ts';
import type { Draft } from '../graph/draft.ts';
import { draftOnlyKinds } from '../graph/kinds.ts';
import { type Mutation, mutate } from '../graph/mutate.ts';
import type { GraphNode } from '../graph/node.ts';
import { SqlView } from '../graph/sql-view.ts';

/** A site of its own database, and short ways to change and check it. */
export async function openTestSite(options: { slug?: string; locales?: string[] } = {}) {
  const { database, url, urlAs, drop } = await testDatabase();
  await migrate(database, 'tools', houseFile('tool-service/migrations'));
  const site = await createSite(database, { slug: options.slug ?? 'example', title: 'Example', ...options });

  async function change(
    work: (draft: Draft) => Promise<Answer | unknown>,
    mutation: Partial<Mutation> = {},
  ): Promise<ToolResult> {
    const facts = { site: site.id, tool: 'test_tool', reason: 'agentMutation', callId: uuidv7(), exclusive: false };
    return mutate(
      database,
      { ...facts, actor: { id: 'agent:ada', name: 'Ada' }, ...mutation },
      async (draft) => ({ data: (await work(draft)) ?? null }),
      () => [],
    );
  }

  return {
    id: site.id,
    url,
    urlAs,
    database,
    drop,
    change,
    view: () => new SqlView(database, site.id),
    /** Puts nodes of the draft live, as a publish would. */
    publish: (...ids: string[]) =>
      change(
        async (draft) => {
          const nodes = await draft.nodes(ids);
          await draft.place('live', new Map(nodes.map((node) => [node.id, node])));
        },
        { exclusive: true },
      ),
    /** Puts a node under embargo. */
    embargo: (id: string, until: string) =>
      change(async (draft) => {
        draft.touch({ id });
        draft.write('INSERT INTO tools.embargo (site_id, node_id, until, reason, set_by) VALUES ($1, $2, $3, $4, $5)', [
          id,
          until,
          'For a test.',
          'Ada',
        ]);
      }),
    /** Fails where the site's numbers do not add up. */
    async check(): Promise<{ seq: number; draft: string; live: string }> {
      const [row] = await database.query<{ seq: number; snaps: number; highest: number; draft: string; live: string }>(
        `SELECT head_seq AS seq, draft_digest AS draft, live_digest AS live,
           (SELECT count(*) FROM tools.snap p WHERE p.site_id = s.id) AS snaps,
           (SELECT max(seq) FROM tools.snap p WHERE p.site_id = s.id) AS highest FROM tools.site s WHERE s.id = $1`,
        [site.id],
      );
      const { seq, snaps, highest, draft, live } = row!;
      if (snaps !== seq || highest !== seq) throw new Error(`head_seq ${seq}, ${snaps} snapshots, highest ${highest}`);
      for (const [track, digest] of [
        ['draft', draft],
        ['live', live],
      ] as const) {
        const computed = await recomputeDigest(database, site.id, track, seq);
        if (computed !== digestText(digest)) throw new Error(`the digest of ${track} is not that of its nodes`);
      }
      const stray = await database.query(
        `SELECT node_id FROM (
           SELECT coalesce(d.node_id, l.node_id) AS node_id, d.hash IS DISTINCT FROM l.hash AS differs
           FROM (SELECT * FROM tools.ver WHERE site_id = $1 AND track = 'draft' AND to_seq IS NULL AND NOT deleted AND kind <> ALL($2)) d
           FULL JOIN (SELECT * FROM tools.ver WHERE site_id = $1 AND track = 'live' AND to_seq IS NULL AND NOT deleted) l USING (node_id)
         ) both_tracks
         FULL JOIN (SELECT node_id, true AS pending FROM tools.pending WHERE site_id = $1) p USING (node_id)
         WHERE coalesce(differs, false) <> coalesce(pending, false)`,
        [site.id, draftOnlyKinds()],
      );
      if (stray.length > 0) throw new Error(`the publish plan is wrong about ${JSON.stringify(stray)}`);
      return { seq, draft: digestText(draft), live: digestText(live) };
    },
  };
}

export type TestSite = Awaited<ReturnType<typeof openTestSite>>;

export function articleBody(slug: string, more: Partial<EntryBody> = {}): EntryBody {
  return { type: 'article', slug, locale: 'en', fields: { title: `About ${slug}` }, body: '', blocks: [], ...more };
}

export function pageBody(slug: string, more: Partial<PageBody> = {}): PageBody {
  return { title: `Page ${slug}`, slug, path: `/${slug}`, locale: 'en', sections: [], ...more };
}

/** Creates an article and gives its node. */
export async function addArticle(
  site: TestSite,
  slug: string,
  more: Partial<EntryBody> = {},
): Promise<GraphNode<'entry'>> {
  const { data } = await site.change((draft) => draft.create('entry', articleBody(slug, more)));
  return data as GraphNode<'entry'>;
}
