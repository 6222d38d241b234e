import { setTimeout as sleep } from 'node:timers/promises';
import { verifyRecord } from '@cloudhal/audit-service/verify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inTheMiddleOf } from './held-site.ts';
import { change, openLedger, type Told } from './ledger.ts';
import { type Agent, agreeing, type Newsroom, openNewsroom } from './newsroom.ts';
import { everyCallHasEnded, graphIsConsistent, recordIsComplete } from './record.ts';
import { killInTurn, randomFrom, writeArticles } from './writers.ts';

const seed = Number(process.env.CLOUDHAL_TEST_SEED ?? Date.now() % 1_000_000);

describe(`a deployment whose processes die (seed ${seed})`, () => {
  const random = randomFrom(seed);
  const ledger = openLedger();
  let newsroom: Newsroom;
  let agent: Agent;

  beforeAll(async () => {
    newsroom = await openNewsroom({ replicas: { gateway: 2, tools: 2 } });
    agent = await newsroom.hire({ person: agreeing });
  }, 120_000);
  afterAll(() => newsroom?.stop(), 60_000);

  const article = (title: string) =>
    change('create_entry', title, { site: newsroom.site.id, type: 'article', fields: { title } });

  test('audit-service: changes and reads go on, what asks for the record gets a coded error', async () => {
    const [audit] = newsroom.deployment.services.audit;
    await audit!.kill('SIGKILL');
    expect((await ledger.attempt(agent, article('While nobody archives'))).verdict).toBe('applied');
    expect((await agent.call('list_entries', { type: 'article' })).isError).toBe(false);
    expect((await agent.call('list_activity', {})).json).toMatchObject({ code: 'audit_unavailable', applied: 'no' });
    await audit!.restart();
  });

  test('a gateway, in the middle of a change: the other gives its result to the repeated call', async () => {
    const { gatewayUrls, services } = newsroom.deployment;
    const here = await newsroom.connectAs(agent, { url: gatewayUrls[0]! });
    const there = await newsroom.connectAs(agent, { url: gatewayUrls[1]! });
    const wanted = article('Whose gateway dies');
    const cut = await inTheMiddleOf({
      ...newsroom,
      change: wanted,
      ask: (each) => ledger.attempt(here, each),
      meanwhile: () => services.gateway[0]!.kill('SIGKILL'),
    });
    expect((await cut.end).code).toBe('connection');
    expect((await ledger.pursue(there, wanted)).verdict).toBe('applied');
    // The repeated call found the first one; it did not run again.
    const calls = await newsroom.database.query(`SELECT state FROM tools.calls WHERE idempotency_key = $1`, [
      wanted.idempotencyKey,
    ]);
    expect(calls).toEqual([{ state: 'succeeded' }]);
    await services.gateway[0]!.restart();
  });

  test('policy-service: nothing is allowed without it, and what it allowed before goes on', async () => {
    const [policy] = newsroom.deployment.services.policy;
    const wanted = article('Allowed just before');
    const going = await inTheMiddleOf({
      ...newsroom,
      change: wanted,
      ask: (each) => ledger.attempt(agent, each),
      meanwhile: () => policy!.kill('SIGKILL'),
    });
    expect((await going.end).verdict).toBe('applied');
    const refused = await ledger.attempt(agent, article('Allowed by nobody'));
    expect(refused).toMatchObject({ verdict: 'not applied', code: 'policy_unavailable' });
    expect((await agent.call('list_entries', { type: 'article' })).json.code).toBe('policy_unavailable');
    await policy!.restart();
    expect((await ledger.pursue(agent, article('Allowed again'))).verdict).toBe('applied');
  });

  test('one of two workers, each second: every call ends in a result or a coded error, and the store agrees', async () => {
    const agents = await Promise.all(Array.from({ length: 6 }, () => newsroom.hire({ person: agreeing })));
    const begun = ledger.told.length;
    let killing = true;
    const kills = killInTurn(newsroom.deployment.services.tools, 10).finally(() => {
      killing = false;
    });
    const work = agents.map((each, n) =>
      writeArticles(each, {
        site: newsroom.site.id,
        name: `Writer ${n} article`,
        ledger,
        over: () => !killing,
        articles: 30,
        random,
      }),
    );
    await Promise.all([kills, ...work]);
    const told = ledger.told.slice(begun);
    expect(told.filter(({ code }) => code === 'connection')).toEqual([]);
    for (const tool of ['create_entry', 'update_entry', 'publish']) {
      expect(
        told.some((line) => line.tool === tool && line.verdict === 'applied'),
        tool,
      ).toBe(true);
    }
    await ledger.mustAgreeWith(newsroom.database);
  }, 120_000);

  test('a worker that hangs past the deadline: the site is free again, and what it does late has no effect', async () => {
    const [hanging, other] = newsroom.deployment.services.tools;
    const made = await ledger.pursue(agent, article('Published in vain'));
    const what = { nodes: [(made.result!.json.data as { id: string }).id] };
    const plan = (await agent.call('get_publish_plan', { what })).json.data as { expectDraft: string };
    // A publish holds the site from its beginning.
    const wanted = change('publish', 'Stopped in the middle', { what, expectDraft: plan.expectDraft });
    await other!.kill('SIGKILL');
    const stopped = await inTheMiddleOf({
      ...newsroom,
      change: wanted,
      ask: (each) => ledger.attempt(agent, each),
      meanwhile: () => hanging!.kill('SIGSTOP'),
    });
    await other!.restart();
    // Some of them wait in vain for the one that hangs.
    const meanwhile: Promise<Told>[] = [];
    for (let n = 0; n < 30; n++) {
      meanwhile.push(ledger.attempt(agent, article(`Meanwhile ${n}`)));
      await sleep(300);
    }
    const late = await stopped.end;
    expect(late).toMatchObject({ verdict: 'not applied', code: 'deadline_exceeded_not_applied' });
    const verdicts = (await Promise.all(meanwhile)).map(({ verdict }: Told) => verdict);
    expect(verdicts).toContain('applied');
    expect(verdicts).not.toContain('unknown');
    await hanging!.kill('SIGCONT');
    expect((await ledger.pursue(agent, wanted)).verdict).toBe('applied');
  }, 90_000);

  test('afterwards the graph is whole, and the record complete and true', async () => {
    await everyCallHasEnded(newsroom.database);
    const { applied } = await ledger.mustAgreeWith(newsroom.database);
    const { snapshots } = await graphIsConsistent(newsroom.database);
    const doubtful = ledger.told.filter(({ verdict }) => verdict === 'unknown');
    // One made the site.
    expect(snapshots - 1).toBeGreaterThanOrEqual(applied);
    expect(snapshots - 1).toBeLessThanOrEqual(applied + doubtful.length);
    await recordIsComplete(newsroom.database, 150_000);
    expect(await verifyRecord(newsroom.database)).toMatchObject({ ok: true });
  }, 200_000);
});
