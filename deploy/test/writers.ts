import { setTimeout as sleep } from 'node:timers/promises';
import type { Called, TestClient } from '@cloudhal/gateway/mcp/testing/clients';
import type { ServiceProcess } from './deployment.ts';
import { change, type Ledger, verdictOf } from './ledger.ts';

export type Work = {
  site: string;
  /** Begins the titles of its articles. */
  name: string;
  ledger: Ledger;
  /** Ends the work: no new article is begun after it said so. */
  over(): boolean;
  /** At most so many articles. */
  articles: number;
  random(): number;
};

/**
 * An agent at work: it creates an article, changes it twice, reads it and publishes it, and begins the next. What failed it
 * tries again under the same idempotency key; what stays in doubt it reads back.
 */
export async function writeArticles(
  client: TestClient,
  { site, name, ledger, over, articles, random }: Work,
): Promise<void> {
  const call = (tool: string, args: object) => read(client, tool, { site, ...args });
  const pause = () => sleep(random() * 250);

  for (let n = 0; n < articles && !over(); n++) {
    const title = `${name} ${n}`;
    const slug = title.toLowerCase().replaceAll(' ', '-');
    await ledger.pursue(client, change('create_entry', title, { site, type: 'article', slug, fields: { title } }));
    for (const edit of ['first', 'second']) {
      await pause();
      const entry = await call('get_entry', { entry: slug });
      if (entry === undefined) break;
      const { id, rev } = entry.json.data as { id: string; rev: number };
      const newTitle = `${title}, ${edit} edit`;
      await ledger.pursue(client, change('update_entry', newTitle, { site, entry: id, rev, set: { title: newTitle } }));
    }
    await pause();
    const entry = await call('get_entry', { entry: slug });
    if (entry === undefined) continue;
    const what = { nodes: [(entry.json.data as { id: string }).id] };
    const plan = await call('get_publish_plan', { what });
    if (plan === undefined) continue;
    const { expectDraft } = plan.json.data as { expectDraft: string };
    await ledger.pursue(client, change('publish', `${title}, published`, { site, what, expectDraft }));
    await pause();
  }
}

/** A read that is tried again a few times; `undefined` where it never worked. Each failure is a coded one. */
async function read(client: TestClient, tool: string, args: Record<string, unknown>): Promise<Called | undefined> {
  for (let attempt = 1; attempt <= 5; attempt++) {
    const called = await client.call(tool, args).catch(() => undefined);
    if (called !== undefined && verdictOf(called).verdict === 'applied') return called;
    if (called?.json.code === 'not_found') return undefined;
    await sleep(200 * attempt);
  }
  return undefined;
}

/** Repeatable randomness; print the seed where a test fails by it. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Kills the processes in turn, one each second, and starts each again; at most one of them is away. */
export async function killInTurn(processes: readonly ServiceProcess[], times: number): Promise<void> {
  for (let n = 0; n < times; n++) {
    const second = sleep(1_000);
    const process = processes[n % processes.length]!;
    await process.kill('SIGKILL');
    await process.restart();
    await second;
  }
}
