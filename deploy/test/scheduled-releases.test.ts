import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { verifyRecord } from '@cloudhal/audit-service/verify';
import { connect, type Question, type TestClient } from '@cloudhal/gateway/mcp/testing/clients';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type House, openHouse } from '../local/house.ts';
import { makeDataFolder } from '../local/project.ts';
import { recordIsComplete } from './record.ts';
import { worked } from './story.ts';

/** Two processes on one folder: either may put a release live. */
const houses: House[] = [];
const stops: (() => Promise<unknown>)[] = [];
const questions: Question[] = [];
let house: House;
let site: { id: string; slug: string };
let answer: 'accept' | 'decline' = 'accept';

beforeAll(async () => {
  process.env.CLOUDHAL_RATE_PER_MINUTE = '100000';
  process.env.CLOUDHAL_RATE_BURST = '1000';
  const folder = await mkdtemp(join(tmpdir(), 'cloudhal-test-releases-'));
  stops.push(() => rm(folder, { recursive: true, force: true }));
  const data = makeDataFolder(join(folder, '.cloudhal'));
  for (let i = 0; i < 2; i++) {
    const opened = await openHouse(data, { listen: { port: 0 } });
    houses.push(opened);
    stops.push(() => opened.stop());
  }
  house = houses[0]!;
  await house.seedExampleSite();
  site = (await house.sites())[0] as never;
}, 120_000);
afterAll(async () => {
  for (const stop of stops.reverse()) await stop();
}, 60_000);

async function hire(mode: 'edits' | 'auto'): Promise<{ agent: TestClient; keyId: string }> {
  const { secret, key } = await house.createAgentKey({ name: mode, scopes: '*', mode });
  const agent = await connect(`${house.url}/mcp`, '2026-07-28', {
    as: secret,
    person: (question) => {
      questions.push(question);
      return answer === 'accept' ? { action: 'accept', content: { confirm: true } } : { action: 'decline' };
    },
  });
  stops.push(() => agent.close());
  return { agent, keyId: key.id };
}

const call = (agent: TestClient, tool: string, args: object) => agent.call(tool, { site: site.id, ...args });
const inSeconds = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

/** An article in a release, and what schedules it. */
async function prepared(agent: TestClient, slug: string) {
  const entry = worked(await call(agent, 'create_entry', { type: 'article', slug, fields: { title: slug } })).data;
  const items = [{ node: entry.id }];
  const release = worked(await call(agent, 'create_release', { title: `Release of ${slug}`, items })).data.id as string;
  const { digest, rev } = worked(await call(agent, 'get_release', { release })).data;
  return { release, entry: entry as { id: string }, args: { release, rev, expectDigest: digest } };
}

const standing = async (agent: TestClient, release: string) =>
  worked(await call(agent, 'get_release', { release })).data as { state: string; outcome?: { snapshot: string } };

test('a person lets a time and a content be, and at that time it is live, once, as the agent', async () => {
  const { agent } = await hire('edits');
  const { release, args } = await prepared(agent, 'at-its-time');
  answer = 'decline';
  const declined = await call(agent, 'schedule_release', { ...args, at: inSeconds(60) });
  expect(declined.json).toMatchObject({ code: 'approval_rejected' });
  expect(await standing(agent, release)).toMatchObject({ state: 'open' });

  answer = 'accept';
  const at = inSeconds(5);
  worked(await call(agent, 'schedule_release', { ...args, at }));
  expect(questions.at(-1)!.message).toContain(at);
  expect(questions.at(-1)!.message).toContain('at-its-time');
  const asked = questions.length;
  const address = `${house.url}/sites/${site.slug}/articles/at-its-time`;
  expect((await fetch(address)).status).toBe(404);

  await expect
    .poll(() => standing(agent, release), { timeout: 25_000, interval: 250 })
    .toMatchObject({ state: 'released' });
  expect((await fetch(address)).status).toBe(200);
  expect(questions).toHaveLength(asked);
  const { outcome } = await standing(agent, release);
  const publications = worked(await call(agent, 'list_publications', {})).data.publications as object[];
  const fired = publications.filter((one) => 'reason' in one && one.reason === 'scheduledRelease');
  expect(fired).toMatchObject([{ id: outcome!.snapshot }]);
  await recordIsComplete(house.database);
  expect(await verifyRecord(house.database)).toMatchObject({ ok: true });
}, 60_000);

test('a small release of an autonomous agent needs nobody, and what policy would say is known before', async () => {
  const { agent } = await hire('auto');
  const { release, entry, args } = await prepared(agent, 'by-itself');
  const asked = questions.length;
  const readiness = worked(await call(agent, 'check_readiness', { nodes: [entry.id] })).data;
  expect(readiness).toMatchObject({ ready: true, policy: { decision: 'allow', rule: 'small-publish' } });
  const plan = worked(await call(agent, 'get_publish_plan', { what: { release } })).data;
  expect(plan).toMatchObject({ count: 1, policy: { decision: 'allow' } });
  worked(await call(agent, 'schedule_release', { ...args, at: inSeconds(4) }));
  await expect
    .poll(() => standing(agent, release), { timeout: 25_000, interval: 250 })
    .toMatchObject({ state: 'released' });
  expect(questions).toHaveLength(asked);
}, 60_000);

test('what was scheduled with a key does not go live once the key is revoked, and the release says why', async () => {
  const { agent: reader } = await hire('edits');
  const { agent, keyId } = await hire('auto');
  const { release, args } = await prepared(agent, 'of-a-gone-key');
  worked(await call(agent, 'schedule_release', { ...args, at: inSeconds(5) }));
  await house.revokeAgentKey(keyId);
  await expect
    .poll(() => standing(reader, release), { timeout: 25_000, interval: 250 })
    .toMatchObject({ state: 'refused', outcome: { error: { code: 'approval_revoked' } } });
  expect((await fetch(`${house.url}/sites/${site.slug}/articles/of-a-gone-key`)).status).toBe(404);
}, 60_000);
