import type { Database } from '@cloudhal/shared/database';
import { uuidv7 } from '@cloudhal/shared/ids';
import type { EntryBody } from '@cloudhal/shared/site/shapes';
import { createSite } from '@cloudhal/tool-service/graph/create-site';
import type { Draft } from '@cloudhal/tool-service/graph/draft';
import { mutate } from '@cloudhal/tool-service/graph/mutate';
import { SqlView } from '@cloudhal/tool-service/graph/sql-view';
import { realDocuments } from '../test/real-documents.ts';
import { openStore } from './store.ts';

/** A site of many entries, all of them live, changed as tools change it. */
export type Graph = {
  database: Database;
  site: string;
  ids: readonly string[];
  view(): SqlView;
  /** One change, which is one snapshot; its id. `exclusive`: as tools run that hold the site from their beginning. */
  change(work: (draft: Draft) => Promise<unknown>, exclusive?: boolean): Promise<string>;
  /** A new title for one entry, whatever its rev is. */
  retitle(draft: Draft, id: string, title: string): Promise<unknown>;
  /** An entry at random. */
  anyId(): string;
  close(): Promise<void>;
};

/** As many as one statement's time allows by far. */
const batchSize = 1_000;

/** A site in a database of its own. */
export async function openGraph(server: string, name: string, nodes: number): Promise<Graph> {
  const database = await openStore(server, name);
  const { id } = await createSite(database, { slug: 'news', title: 'News' });
  return fillSite(database, id, nodes);
}

/** Puts the entries into an empty site. */
export async function fillSite(database: Database, site: string, nodes: number): Promise<Graph> {
  const ids: string[] = [];

  async function change(work: (draft: Draft) => Promise<unknown>, exclusive = false): Promise<string> {
    const actor = { id: 'agent:bench', name: 'bench' };
    const facts = { site, tool: 'update_entry', reason: 'agentMutation', callId: uuidv7(), exclusive };
    const { snapshot } = await mutate(
      database,
      { ...facts, actor },
      async (draft) => ({ data: (await work(draft)) ?? null }),
      () => [],
    );
    if (snapshot === undefined) throw new Error('A change made no snapshot.');
    return snapshot;
  }

  const bodies = await entryBodies(nodes);
  for (let from = 0; from < nodes; from += batchSize) {
    const part = bodies.slice(from, from + batchSize);
    await change(async (draft) => {
      for (const body of part) ids.push((await draft.create('entry', body)).id);
    });
  }
  await putAllLive(database, site);
  // As autovacuum would leave it, and not in the middle of what is measured.
  await database.query('VACUUM ANALYZE');
  return {
    database,
    site,
    ids,
    anyId: () => ids[Math.floor(Math.random() * ids.length)]!,
    view: () => new SqlView(database, site),
    change,
    async retitle(draft, id, title) {
      const { rev } = await draft.node(id);
      await draft.save('entry', id, rev, (body) => ({ ...body, fields: { ...body.fields, title } }));
    },
    close: () => database.close(),
  };
}

/** What publishing all of it would store, by a copy within the database: nobody could wait for more words to be indexed. */
async function putAllLive(database: Database, site: string): Promise<void> {
  const copies = {
    ver: 'node_id, from_seq, rev, kind, hash, deleted, type, slug, path, parent, locale, title, date',
    edge: 'source, role, target',
    search: 'node_id, kind, locale, config, title, text, words, bands',
  };
  for (const [table, columns] of Object.entries(copies)) {
    const heads = table === 'ver' ? 'AND to_seq IS NULL' : '';
    await database.query(
      `INSERT INTO tools.${table} (site_id, track, ${columns}) SELECT site_id, 'live', ${columns} FROM tools.${table}
       WHERE site_id = $1 AND track = 'draft' ${heads} ON CONFLICT DO NOTHING`,
      [site],
    );
  }
  await database.query('DELETE FROM tools.pending WHERE site_id = $1', [site]);
  await database.query('UPDATE tools.site SET live_digest = draft_digest WHERE id = $1', [site]);
}

/** Articles, each of some paragraphs of real text that no other has together, dated over three years. */
async function entryBodies(count: number): Promise<EntryBody[]> {
  const paragraphs = (await realDocuments(250)).flatMap(({ body }) => paragraphsOf(body));
  return Array.from({ length: count }, (_, number) => {
    const round = Math.floor(number / paragraphs.length);
    const parts = [0, 1].map((turn) => paragraphs[(number * (turn + 1) + round * turn * 7) % paragraphs.length]!);
    const title = parts[0]!
      .replace(/[^\p{L}\p{N} ]+/gu, ' ')
      .trim()
      .slice(0, 60);
    const day = new Date(Date.UTC(2024, 0, 1 + (number % 1_096)));
    return {
      type: 'article',
      slug: `passage-${number}`,
      locale: 'en',
      fields: { title: `${title} passage${number}`, publishedOn: day.toISOString().slice(0, 10) },
      body: parts.join('\n\n'),
      blocks: [],
    };
  });
}

function paragraphsOf(text: string): string[] {
  return text.split(/\n{2,}/).flatMap((part) => (part.length > 60 && part.length < 1_000 ? [part.trim()] : []));
}
