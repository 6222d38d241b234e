import { setTimeout as sleep } from 'node:timers/promises';
import { verifyRecord } from '@cloudhal/audit-service/verify';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { change, openLedger, verdictOf, verdictOfRefusal } from './ledger.ts';
import { type Agent, agreeing, type Newsroom, openNewsroom } from './newsroom.ts';
import { aMinuteLater, everyCallHasEnded, graphIsConsistent, recordIsComplete } from './record.ts';
import { restart, wipeJetStream } from './restart-servers.ts';
import type { TestServer } from './servers/server-process.ts';
import { randomFrom, writeArticles } from './writers.ts';

const seed = Number(process.env.CLOUDHAL_TEST_SEED ?? Date.now() % 1_000_000);

describe(`a deployment whose servers fail (seed ${seed})`, () => {
  const random = randomFrom(seed);
  const ledger = openLedger();
  const restarted: TestServer[] = [];
  let newsroom: Newsroom;
  let agent: Agent;

  beforeAll(async () => {
    newsroom = await openNewsroom();
    agent = await newsroom.hire({ person: agreeing });
  }, 120_000);
  afterEach(async () => {
    await ledger.mustAgreeWith(newsroom.database);
    for (const service of Object.values(newsroom.deployment.services).flat()) {
      expect(isAlive(service.pid()), `${service.name} ended:\n${service.output().slice(-2_000)}`).toBe(true);
    }
  });
  afterAll(async () => {
    for (const server of restarted.reverse()) await server.stop();
    await newsroom?.stop();
  }, 60_000);

  const article = (title: string) =>
    change('create_entry', title, { site: newsroom.site.id, type: 'article', fields: { title } });

  /** Lets agents work through `trouble`, and until a change works again after it. */
  async function workThrough(name: string, trouble: () => Promise<void>): Promise<void> {
    let over = false;
    const agents = await Promise.all(Array.from({ length: 4 }, () => newsroom.hire({ person: agreeing })));
    const work = agents.map((each, n) =>
      writeArticles(each, {
        site: newsroom.site.id,
        name: `${name} writer ${n} article`,
        ledger,
        over: () => over,
        articles: 20,
        random,
      }),
    );
    try {
      await sleep(1_000);
      await trouble();
      expect((await ledger.pursue(agent, article(`${name}, afterwards`), 20)).verdict).toBe('applied');
    } finally {
      over = true;
      await Promise.all(work);
    }
  }

  /** A change and a read, which end at once with a code. */
  async function mustBeRefused(title: string, codes: string[]): Promise<void> {
    const told = await ledger.attempt(agent, article(title));
    expect(told.verdict, told.code).not.toBe('applied');
    expect(codes).toContain(told.code);
    const read = await agent.call('list_entries', { type: 'article' }).then(verdictOf, verdictOfRefusal);
    expect(codes).toContain(read.code);
  }

  /** Resolves once events were published that are in no archive. */
  async function onlyOnTheStream(): Promise<void> {
    const look = () =>
      newsroom.database.query('SELECT 1 FROM tools.outbox WHERE published_at IS NOT NULL AND archived_at IS NULL');
    for (let n = 0; n < 100 && (await look()).length === 0; n++) await sleep(50);
    expect((await look()).length).toBeGreaterThan(0);
  }

  test('no worker in a pool: a coded error within two seconds', async () => {
    const [worker] = newsroom.deployment.services.tools;
    await worker!.kill('SIGKILL');
    const times: number[] = [];
    for (let n = 0; n < 3; n++) {
      const begun = performance.now();
      const told = await ledger.attempt(agent, article(`Nobody works ${n}`));
      times.push(performance.now() - begun);
      expect(told).toMatchObject({ verdict: 'not applied', code: 'tool_unavailable' });
    }
    expect(Math.min(...times)).toBeLessThan(2_000);
    await worker!.restart();
    expect((await ledger.pursue(agent, article('Somebody works again'))).verdict).toBe('applied');
  });

  test('NATS dies and returns, and then dies and returns with nothing: nothing of the record is lost', async () => {
    const { deployment } = newsroom;
    await workThrough('NATS', async () => {
      await deployment.nats.kill('SIGKILL');
      await mustBeRefused('Without a bus', ['policy_unavailable', 'tool_unavailable', 'outcome_unknown']);
      const first = await restart.nats(deployment);
      restarted.push(first);
      expect((await ledger.pursue(agent, article('NATS, back'), 20)).verdict).toBe('applied');
      // What is on the stream now and not archived yet is gone with it.
      const [audit] = deployment.services.audit;
      await audit!.kill('SIGSTOP');
      expect((await ledger.pursue(agent, article('NATS, before all is lost'), 20)).verdict).toBe('applied');
      await onlyOnTheStream();
      await first.kill('SIGKILL');
      await wipeJetStream(deployment);
      await audit!.kill('SIGCONT');
      restarted.push(await restart.nats(deployment));
    });
    await aMinuteLater(newsroom.database);
  }, 120_000);

  test('PostgreSQL is shut down at once, and then killed', async () => {
    const { deployment } = newsroom;
    await workThrough('PostgreSQL', async () => {
      await deployment.postgres.kill('SIGQUIT');
      await mustBeRefused('Without a store', ['storage_unavailable', 'tool_unavailable', 'policy_unavailable']);
      expect(await newsroom.owner.send('/api/session')).toMatchObject({
        status: 503,
        body: { code: 'storage_unavailable' },
      });
      const first = await restart.postgres(deployment);
      restarted.push(first);
      expect((await ledger.pursue(agent, article('PostgreSQL, back'), 20)).verdict).toBe('applied');
      await first.kill('SIGKILL');
      restarted.push(await restart.postgres(deployment));
    });
  }, 120_000);

  test('Redis dies and returns empty', async () => {
    const { deployment } = newsroom;
    await workThrough('Redis', async () => {
      await deployment.redis.kill('SIGKILL');
      await mustBeRefused('Without shared state', ['policy_unavailable']);
      restarted.push(await restart.redis(deployment));
    });
  }, 120_000);

  test('afterwards the graph is whole, and the record complete and true', async () => {
    await everyCallHasEnded(newsroom.database);
    const { applied } = await ledger.mustAgreeWith(newsroom.database);
    const { snapshots } = await graphIsConsistent(newsroom.database);
    expect(snapshots - 1).toBeGreaterThanOrEqual(applied);
    await recordIsComplete(newsroom.database, 150_000);
    expect(await verifyRecord(newsroom.database)).toMatchObject({ ok: true });
  }, 200_000);
});

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
