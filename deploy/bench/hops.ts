import { createHash } from 'node:crypto';
import { openDatabase } from '@cloudhal/shared/database';
import type { Bench } from './bench.ts';
import { type LimitProcess, startLimit } from './limit-process.ts';
import { hopsSchema } from './limits/hops-store.ts';

export type Hops = { url: string; pids(): number[]; stop(): Promise<void> };
type Text = { slug: string; text: string };

/** The three processes of a hand-made chain, on a store with the given texts. */
export async function startHops(
  program: 'hops-read' | 'hops-write',
  { nats, postgres }: Pick<Bench, 'nats' | 'postgres'>,
  texts: readonly Text[],
): Promise<Hops> {
  const url = await makeStore(postgres.url, program.replace('-', '_'), texts);
  const parts: LimitProcess[] = [];
  for (const role of ['store', 'middle', 'edge']) parts.push(await startLimit(program, role, nats.url, url));
  return {
    url: parts.at(-1)!.url,
    pids: () => [...parts.map(({ pid }) => pid), nats.pid, postgres.pid],
    async stop() {
      for (const part of parts.reverse()) await part.stop();
    },
  };
}

async function makeStore(server: string, name: string, texts: readonly Text[]): Promise<string> {
  const admin = openDatabase({ url: server, name: 'bench', max: 1 });
  await admin.query(`CREATE DATABASE ${name}`);
  await admin.close();
  const url = new URL(server);
  url.pathname = `/${name}`;
  const database = openDatabase({ url: url.href, name: 'bench', max: 1 });
  await database.query(hopsSchema);
  for (const { slug, text } of texts) {
    const doc = JSON.stringify({ slug, text });
    const hash = createHash('sha256').update(doc).digest();
    await database.query('INSERT INTO hops.body VALUES ($1, $2)', [hash, doc]);
    await database.query('INSERT INTO hops.ver VALUES ($1, 1, $2, 0, NULL)', [slug, hash]);
  }
  await database.close();
  return url.href;
}
