import type { Database } from '@cloudhal/shared/database';
import { uuidv7 } from '@cloudhal/shared/ids';
import type { EntryBody } from '@cloudhal/shared/site/shapes';
import { createSite } from '@cloudhal/tool-service/graph/create-site';
import type { Draft } from '@cloudhal/tool-service/graph/draft';
import { mutate } from '@cloudhal/tool-service/graph/mutate';
import { SqlView } from '@cloudhal/tool-service/graph/sql-view';
import { realDocuments } from '../test/real-documents.ts';
import { openStore } from './store.ts';

/** A site of many entries in a database of its own, changed as tools change it. */
export type Graph = {
  database: Database;
  site: string;
  ids: string[];
  view(): SqlView;
  /** One change, which is one snapshot; its id. */
  change(work: (draft: Draft) => Promise<unknown>): Promise<string>;
  /** A new title for one entry, whatever its rev is. */
  retitle(draft: Draft, id: string, title: string): Promise<unknown>;
  close(): Promise<void>;
};

/** As many as one statement's time allows by far. */
const batchSize = 1_000;

export async function openGraph(server: string, name: string, nodes: number): Promise<Graph> {
  const database = await openStore(server, name);
  const site = await createSite(database, { slug: 'news', title: 'News' });
  const revs = new Map<string, number>();

  async function change(work: (draft: Draft) => Promise<unknown>): Promise<string> {
    const actor = { id: 'agent:bench', name: 'bench' };
    const facts = { site: site.id, tool: 'update_entry', reason: 'agentMutation', callId: uuidv7(), exclusive: false };
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
      for (const body of part) revs.set((await draft.create('entry', body)).id, 1);
    });
  }
  // As autovacuum would leave it, and not in the middle of what is measured.
  await database.query('VACUUM ANALYZE');
  return {
    database,
    site: site.id,
    ids: [...revs.keys()],
    view: () => new SqlView(database, site.id),
    change,
    async retitle(draft, id, title) {
      const rev = revs.get(id)!;
      await draft.save('entry', id, rev, (body) => ({ ...body, fields: { ...body.fields, title } }));
      revs.set(id, rev + 1);
    },
    close: () => database.close(),
  };
}

/** Articles of real text: the passages of READMEs in turn, each under a number of its own. */
async function entryBodies(count: number): Promise<EntryBody[]> {
  const passages = (await realDocuments(150)).flatMap(({ body }) => passagesOf(body));
  return Array.from({ length: count }, (_, number) => {
    const text = passages[number % passages.length]!;
    const title = text
      .replace(/[^\p{L}\p{N} ]+/gu, ' ')
      .trim()
      .slice(0, 60);
    return {
      type: 'article',
      slug: `passage-${number}`,
      locale: 'en',
      fields: { title: `${title} (${number})` },
      body: text,
      blocks: [],
    };
  });
}

/** Paragraphs, gathered to pieces of some hundred characters. */
function passagesOf(text: string): string[] {
  const passages = [''];
  for (const paragraph of text.split(/\n{2,}/)) {
    if (passages.at(-1)!.length + paragraph.length > 700) passages.push('');
    passages.push(`${passages.pop()}\n\n${paragraph.slice(0, 2_000)}`.trim());
  }
  return passages.filter((passage) => passage.length > 100);
}
