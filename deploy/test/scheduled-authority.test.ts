import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Newsroom, openNewsroom } from './newsroom.ts';
import { join, type Person } from './people.ts';
import { restart } from './restart-servers.ts';
import type { TestServer } from './servers/server-process.ts';
import { worked } from './story.ts';

/** A call by whoever it is, and what it gives. */
type Caller = (tool: string, args: Record<string, unknown>) => Promise<Record<string, unknown>>;

let newsroom: Newsroom;
let redis: TestServer | undefined;
beforeAll(async () => {
  newsroom = await openNewsroom();
}, 120_000);
afterAll(async () => {
  await redis?.stop();
  await newsroom?.stop();
}, 60_000);

test('what was scheduled goes live only for whom it may still, also once Redis has lost all that it held', async () => {
  const { owner, deployment } = newsroom;
  const autonomous = { key: { mode: 'auto' } };
  const [kept, revoked, elevated] = [
    await newsroom.hire(autonomous),
    await newsroom.hire(autonomous),
    await newsroom.hire(),
  ];
  const by =
    (agent: typeof kept): Caller =>
    async (tool, args) =>
      worked(await agent.call(tool, args)).data;
  const [stays, demoted, leaves] = [await anEditor('Stays'), await anEditor('Demoted'), await anEditor('Leaves')];
  const elevation = await grantAuto(elevated);

  const at = new Date(Date.now() + 15_000).toISOString();
  const releases = {
    kept: await schedule(by(kept), 'kept', at),
    revoked: await schedule(by(revoked), 'revoked', at),
    elevated: await schedule(by(elevated), 'elevated', at),
    stays: await schedule(byPerson(stays), 'stays', at),
    demoted: await schedule(byPerson(demoted), 'demoted', at),
    leaves: await schedule(byPerson(leaves), 'leaves', at),
  };

  expect((await owner.send(`/api/agent-keys/${revoked.keyId}`, { method: 'DELETE' })).status).toBe(200);
  expect((await owner.send(`/api/elevations/${elevation}/end`, { method: 'POST' })).status).toBe(200);
  const people = (await owner.send('/api/people')).body.people as { id: string; name: string }[];
  const idOf = (name: string) => people.find((person) => person.name === name)!.id;
  const reviewer = { method: 'PATCH', body: { role: 'reviewer' } };
  expect((await owner.send(`/api/people/${idOf('Demoted')}`, reviewer)).status).toBe(200);
  expect((await owner.send(`/api/people/${idOf('Leaves')}`, { method: 'DELETE' })).status).toBe(204);
  await deployment.redis.kill('SIGKILL');
  redis = await restart.redis(deployment);

  const rows = () =>
    newsroom.database.query<{ release_id: string; state: string; code: string | null }>(
      `SELECT release_id, state, error->>'code' AS code FROM tools.release_run`,
    );
  const outcomes = async () => {
    const byRelease = new Map((await rows()).map((row) => [row.release_id, row]));
    return Object.fromEntries(
      Object.entries(releases).map(([name, release]) => {
        const { state, code } = byRelease.get(release)!;
        return [name, state === 'refused' ? code : state];
      }),
    );
  };
  await expect.poll(outcomes, { timeout: 60_000, interval: 500 }).toEqual({
    kept: 'released',
    revoked: 'approval_revoked',
    elevated: 'approval_revoked',
    stays: 'released',
    demoted: 'approval_revoked',
    leaves: 'approval_revoked',
  });
  for (const name of Object.keys(releases)) {
    const { status } = await fetch(`${deployment.url}/sites/${newsroom.site.slug}/articles/by-${name}`);
    expect(status, name).toBe(['kept', 'stays'].includes(name) ? 200 : 404);
  }
}, 180_000);

async function anEditor(name: string): Promise<Person> {
  const { owner, deployment } = newsroom;
  const { body } = await owner.send('/api/people/invitations', { method: 'POST', body: { role: 'editor' } });
  return join(deployment.url, body.url as string, name);
}

function byPerson(person: Person): Caller {
  return async (tool, args) => {
    const { status, body } = await person.send(`/api/tools/${tool}`, { method: 'POST', body: { arguments: args } });
    expect(status, `${tool}: ${JSON.stringify(body)}`).toBe(200);
    return (body.result as { data: object }).data as Record<string, unknown>;
  };
}

async function grantAuto(agent: Awaited<ReturnType<Newsroom['hire']>>): Promise<string> {
  worked(
    await agent.call('request_elevation', { site: newsroom.site.id, mode: 'auto', minutes: 10, reason: 'Tonight.' }),
  );
  const { body } = await newsroom.owner.send('/api/elevations?state=pending');
  const [{ id }] = body.elevations as [{ id: string }];
  expect((await newsroom.owner.send(`/api/elevations/${id}/grant`, { method: 'POST' })).status).toBe(200);
  return id;
}

/** A release of one article, set to go live at a time. */
async function schedule(call: Caller, name: string, at: string): Promise<string> {
  const site = newsroom.site.id;
  const article = { type: 'article', slug: `by-${name}`, fields: { title: `By ${name}` } };
  const { id: node } = await call('create_entry', { site, ...article });
  const made = await call('create_release', { site, title: `Of ${name}`, items: [{ node }] });
  const release = made.id as string;
  const { rev, digest } = await call('get_release', { site, release });
  await call('schedule_release', { site, release, rev, expectDigest: digest, at });
  return release;
}
