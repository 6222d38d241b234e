import { setTimeout as sleep } from 'node:timers/promises';
import type { TestClient } from '@cloudhal/gateway/mcp/testing/clients';
import { startTcpProxy, type TcpProxy } from '@cloudhal/shared/testing/tcp-proxy';
import { afterEach, beforeAll, expect, test } from 'vitest';
import { inTheMiddleOf } from '../held-site.ts';
import { type Change, change, openLedger, verdictOf, verdictOfRefusal } from '../ledger.ts';
import { agreeing, type Newsroom } from '../newsroom.ts';

/** One of two gateways behind a bad network to NATS. */
export function cutOff(newsroom: () => Newsroom): void {
  const ledger = openLedger();
  let proxy: TcpProxy;
  let url: string;
  let here: TestClient;
  let there: TestClient;

  beforeAll(async () => {
    const { deployment, hire, connectAs } = newsroom();
    const [, gateway] = deployment.services.gateway;
    url = deployment.gatewayUrls[1]!;
    proxy = await startTcpProxy(deployment.nats.url);
    await gateway!.kill('SIGTERM');
    await gateway!.restart({ CLOUDHAL_NATS_URL: proxy.url });
    await isReady(true);
    const agent = await hire({ person: agreeing, url: deployment.gatewayUrls[0]! });
    here = agent;
    there = await connectAs(agent, { url, person: agreeing });
    return async () => {
      await gateway!.kill('SIGTERM');
      await gateway!.restart();
      await proxy.close();
    };
  });
  afterEach(async () => {
    proxy.mode = 'pass';
    proxy.cut();
    await isReady(true);
  });

  async function isReady(ready: boolean): Promise<void> {
    let found = '';
    for (let look = 0; look < 150; look++) {
      const answer = await fetch(`${url}/readyz`);
      found = await answer.text();
      if (answer.ok === ready) return;
      await sleep(100);
    }
    throw new Error(`the gateway is still ${ready ? 'not ready' : 'ready'}: ${found}`);
  }

  const article = (title: string) =>
    change('create_entry', title, { site: newsroom().site.id, type: 'article', fields: { title } });
  const read = (client: TestClient) =>
    client.call('list_entries', { site: newsroom().site.id, type: 'article' }).then(verdictOf, verdictOfRefusal);

  test('cut off: it says that it is not ready, refuses at once, and works again when the bus is back (F-GW-4)', async () => {
    proxy.mode = 'refuse';
    proxy.cut();
    await isReady(false);
    const refused = await ledger.attempt(there, article('Cut off'));
    expect(refused.verdict).toBe('not applied');
    for (const { code } of [refused, await read(there)])
      expect(['policy_unavailable', 'tool_unavailable']).toContain(code);
    expect((await ledger.attempt(here, article('Beside one that is cut off'))).verdict).toBe('applied');
    proxy.mode = 'pass';
    await isReady(true);
    expect((await ledger.pursue(there, article('Together again'))).verdict).toBe('applied');
  });

  test('bytes that go nowhere: a read ends with a code, and the other gateway goes on (F-NA-2)', async () => {
    proxy.mode = 'blackhole';
    const [lost, right] = await Promise.all([read(there), read(here)]);
    expect(lost.verdict).toBe('not applied');
    expect(['tool_unavailable', 'policy_unavailable', 'deadline_exceeded_not_applied']).toContain(lost.code);
    expect(right.verdict).toBe('applied');
    await isReady(false);
  });

  test('the answer to a change is lost: its caller hears in time what became of it (F-TW-4)', async () => {
    const wanted = article('Whose answer is lost');
    expect((await ledger.pursue(there, article('Just before'))).verdict).toBe('applied');
    const lost = await inTheMiddleOf({
      ...newsroom(),
      change: wanted,
      ask: (each) => ledger.attempt(there, each),
      meanwhile: async () => {
        proxy.mode = 'blackhole-down';
      },
    });
    await applied(wanted);
    proxy.mode = 'pass';
    proxy.cut();
    expect((await lost.end).verdict).toBe('applied');
    expect((await ledger.pursue(here, wanted)).verdict).toBe('applied');
  }, 45_000);

  async function applied({ idempotencyKey }: Change): Promise<void> {
    const look = () =>
      newsroom().database.query(`SELECT 1 FROM tools.calls WHERE idempotency_key = $1 AND state = 'succeeded'`, [
        idempotencyKey,
      ]);
    for (let n = 0; n < 200 && (await look()).length === 0; n++) await sleep(50);
    expect(await look()).toHaveLength(1);
  }

  test('afterwards what was told is true', async () => {
    const told = ledger.told.filter(({ verdict }) => verdict === 'applied');
    expect(told.length).toBeGreaterThan(3);
    const titles = await newsroom().database.query<{ title: string }>(
      `SELECT title FROM tools.ver WHERE track = 'draft' AND kind = 'entry'`,
    );
    const times = (title: string) => titles.filter((row) => row.title === title).length;
    for (const { title } of told) expect(times(title), title).toBe(1);
    expect(times('Cut off')).toBe(0);
  });
}
