import { beforeAll, describe, expect, test } from 'vitest';
import { changingNothing } from '../bad-input/state.ts';
import { change, openLedger, verdictOf, verdictOfRefusal } from '../ledger.ts';
import { type Agent, agreeing, type Newsroom } from '../newsroom.ts';
import { worked } from '../story.ts';
import { clockOff } from './shift-clock.ts';

/** Processes whose clocks are wrong; PostgreSQL's is the one that counts. */
export function wrongClocks(newsroom: () => Newsroom): void {
  const ledger = openLedger();
  let agent: Agent;
  beforeAll(async () => {
    agent = await newsroom().hire({ person: agreeing });
  });

  const article = (title: string) =>
    change('create_entry', title, { site: newsroom().site.id, type: 'article', fields: { title } });

  async function answers(tool: string, args: object): Promise<Record<string, unknown>> {
    return worked(await agent.call(tool, { site: newsroom().site.id, ...args })).data as Record<string, unknown>;
  }

  const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString();

  describe.each([
    ['ahead', 24],
    ['behind', -24],
  ])('a worker that is a day %s (F-TW-7)', (way, hours) => {
    beforeAll(async () => {
      const [worker, other] = newsroom().deployment.services.tools;
      await other!.kill('SIGTERM');
      await worker!.kill('SIGTERM');
      await worker!.restart(clockOff(hours));
      return async () => {
        await worker!.kill('SIGTERM');
        await Promise.all([worker!.restart(), other!.restart()]);
      };
    });

    test('works, and what it writes has the time of the store', async () => {
      expect((await ledger.pursue(agent, article(`Written a day ${way}`))).verdict).toBe('applied');
      const [off] = await newsroom().database.query(
        `SELECT (SELECT max(abs(extract(epoch FROM clock_timestamp() - at))) FROM tools.snap)::float8 AS snap,
           (SELECT max(abs(extract(epoch FROM clock_timestamp() - created_at))) FROM tools.calls)::float8 AS calls`,
      );
      expect(off!.snap).toBeLessThan(3_600);
      expect(off!.calls).toBeLessThan(3_600);
    });

    test('publishes nothing before its time', async () => {
      const { id } = await answers('create_entry', { type: 'article', fields: { title: `Later, ${way}` } });
      const release = await answers('create_release', { title: `Release ${way}`, items: [{ node: id }] });
      const { digest, rev } = await answers('get_release', { release: release.id });
      const at = { release: release.id, rev, expectDigest: digest, at: inHours(12) };
      await answers('schedule_release', at);
      const early = await answers('create_entry', { type: 'article', fields: { title: `Embargoed, ${way}` } });
      await answers('set_embargo', { node: early.id, rev: 1, until: inHours(12), reason: 'Not before its time' });
      const what = { nodes: [early.id] };
      const plan = await agent.call('get_publish_plan', { site: newsroom().site.id, what });
      const { expectDraft } = (plan.json.data ?? {}) as { expectDraft?: string };
      const publish = await agent.call('publish', { site: newsroom().site.id, what, expectDraft: expectDraft ?? 'x' });
      expect([plan.json.code, publish.json.code], publish.text).toContain('embargoed');
      expect(await answers('get_release', { release: release.id })).toMatchObject({ state: 'scheduled' });
    });
  });

  test.each([1, -1])('policy-service %i hours off permits nothing, and says why (F-PO-7)', async (hours) => {
    const [policy] = newsroom().deployment.services.policy;
    await policy!.kill('SIGTERM');
    await policy!.restart(clockOff(hours));
    try {
      const told = await changingNothing(newsroom().database, () =>
        ledger.attempt(agent, article(`Permitted ${hours} hours off`)),
      );
      expect(told).toMatchObject({ verdict: 'not applied', code: 'clock_skew' });
      const ready = await fetch(`http://127.0.0.1:${policy!.port}/readyz`);
      expect([ready.status, await ready.json()]).toMatchObject([503, { ready: false, clock: false }]);
    } finally {
      await policy!.kill('SIGTERM');
      await policy!.restart();
    }
  });

  test.each([1, -24])('a gateway %i hours off is not ready, and its calls are refused (F-GW-7)', async (hours) => {
    const [, gateway] = newsroom().deployment.services.gateway;
    const [here, there] = newsroom().deployment.gatewayUrls as [string, string];
    await gateway!.kill('SIGTERM');
    await gateway!.restart(clockOff(hours));
    try {
      const ready = await fetch(`${there}/readyz`);
      expect([ready.status, await ready.json()]).toMatchObject([503, { checks: { clock: false } }]);
      const refused = await changingNothing(newsroom().database, () =>
        newsroom()
          .connectAs(agent, { url: there })
          .then((client) => client.call('create_entry', article(`By a gateway ${hours} hours off`).args))
          .then(verdictOf, verdictOfRefusal),
      );
      expect(refused).toMatchObject({ verdict: 'not applied', code: 'clock_skew' });
      const right = await newsroom().connectAs(agent, { url: here });
      expect((await ledger.attempt(right, article(`Beside a gateway ${hours} hours off`))).verdict).toBe('applied');
    } finally {
      await gateway!.kill('SIGTERM');
      await gateway!.restart();
    }
  });
}
