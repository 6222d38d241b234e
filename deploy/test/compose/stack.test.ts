import { connect } from '@cloudhal/gateway/mcp/testing/clients';
import { plainPng } from '@cloudhal/tool-service/media/testing/pictures';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { agreeing } from '../newsroom.ts';
import { firstOwner, type Person } from '../people.ts';
import { playStory, worked } from '../story.ts';
import { type Container, type Stack, startStack } from './stack.ts';

const ownServices = ['gateway', 'policy', 'tools-content', 'tools-media', 'tools-render', 'audit', 'skills'];
const jobs = ['database-roles', 'migrate'];

let stack: Stack;
let owner: Person;
let agent: Awaited<ReturnType<typeof connect>>;
let site: { id: string; slug: string };

beforeAll(async () => {
  stack = await startStack();
  owner = await firstOwner(stack.url, stack.deploymentToken);
  const made = await owner.send('/api/sites', { method: 'POST', body: { slug: 'news', title: 'News' } });
  site = (made.body.site ?? made.body) as typeof site;
  agent = await hire();
});
afterAll(async () => {
  await agent?.close();
  await stack?.remove();
});

async function hire() {
  const { secret } = await owner.createKey({ name: 'agent', scopes: '*', mode: 'edits' });
  return connect(`${stack.url}/mcp`, '2026-07-28', { as: secret, person: agreeing });
}

const call = (tool: string, args: object = {}) => agent.call(tool, { site: site.id, ...args });
const create = (title: string, body = '') => call('create_entry', { type: 'article', fields: { title }, body });
const titles = async () => {
  const { entries } = worked(await call('list_entries', { type: 'article', limit: 100 })).data;
  return (entries as { title: string }[]).map(({ title }) => title);
};
const status = async (path: string) => (await fetch(stack.url + path)).status;
const works = async (title: string) => !(await create(title)).isError;
const ofServices = async (names: string[]): Promise<Container[]> =>
  (await stack.containers()).filter(({ Service }) => names.includes(Service));
/** As the engine sees it from outside: a container that is asked to do something may not be there. */
const allWell = async () =>
  (await stack.containers()).filter(isIll).map(({ Name, State, Health }) => [Name, State, Health]);
const isIll = ({ Service, State, Health, ExitCode }: Container) =>
  jobs.includes(Service) ? State !== 'exited' || ExitCode !== 0 : State !== 'running' || Health !== 'healthy';

test('all of it is well, and what is ours has no rights', async () => {
  expect(await allWell()).toEqual([]);
  for (const { Name } of await ofServices(ownServices)) {
    const [, uid] = /^Uid:\s+(\d+)/m.exec(await stack.docker('exec', Name, 'cat', '/proc/1/status')) ?? [];
    expect(Number(uid), Name).toBeGreaterThan(0);
    const written = stack.docker('exec', Name, 'touch', '/house/written');
    await expect(written, Name).rejects.toThrow('Read-only file system');
  }
  expect(await status('/readyz')).toBe(200);
  expect(await status('/metrics')).toBe(404);
});

test('callers are told apart by what the proxy in front of the edge says', async () => {
  const wrongKey = async (address: string) => {
    const headers = { authorization: 'Bearer chk_live_wrong', 'content-type': 'application/json' };
    const answer = await fetch(`${stack.url}/mcp`, {
      method: 'POST',
      headers: { ...headers, 'x-forwarded-for': address },
      body: '{}',
    });
    return answer.status;
  };
  // What a caller claims stands before what the proxy adds.
  const claims = Array.from({ length: 20 }, (_, i) => wrongKey(`192.0.2.${i}, 203.0.113.7`));
  expect(await Promise.all(claims)).toContain(429);
  expect(await wrongKey('198.51.100.9')).toBe(401);
});

test('the main job is done through the edge', async () => {
  const { secret } = await owner.createKey({ name: 'story', scopes: '*', mode: 'edits' });
  await playStory({
    connect: (person) => connect(`${stack.url}/mcp`, '2026-07-28', { as: secret, person }),
    url: stack.url,
    documents: 110,
  });
});

test('a picture is read, and a page is looked at in the browser', async () => {
  const base64 = (await plainPng()).toString('base64');
  worked(await call('upload_asset', { filename: 'quay.png', base64, alt: 'A quay' }));

  const { id } = worked(await create('The ferry sails', 'Every day at ten.')).data as { id: string };
  const rendered = worked(await call('render_page', { node: id, screenshot: true })).data;
  expect(rendered).toMatchObject({ node: id });

  const what = { nodes: [id, site.id] };
  const { expectDraft } = worked(await call('get_publish_plan', { what })).data;
  worked(await call('publish', { what, expectDraft }));
  expect(await status('/sites/news/articles/the-ferry-sails')).toBe(200);
});

test('workers scale, and one that is killed takes no change with it', async () => {
  await stack.compose('up', '--detach', '--wait', '--no-recreate', '--scale', 'tools-content=3');
  const [first, ...others] = await ofServices(['tools-content']);
  expect(others).toHaveLength(2);

  const wanted = Array.from({ length: 60 }, (_, i) => `Number ${i}`);
  const writing = Promise.all(wanted.map(async (title) => ({ title, answer: await create(title) })));
  await stack.docker('kill', first!.Name);
  const answers = await writing;
  const done = answers.filter(({ answer }) => !answer.isError).map(({ title }) => title);
  const refused = answers.filter(({ answer }) => answer.isError).map(({ answer }) => answer.json.applied);
  expect(done.length).toBeGreaterThan(0);
  expect(refused.filter((applied) => applied !== 'no' && applied !== 'unknown')).toEqual([]);
  const there = await titles();
  for (const title of done) expect(there.filter((each) => each === title)).toEqual([title]);

  await stack.compose('up', '--detach', '--wait', '--no-recreate', '--scale', 'tools-content=3');
  expect(await allWell()).toEqual([]);
});

test('a service that ends is started again', async () => {
  const [skills] = await ofServices(['skills']);
  const startedAt = () => stack.docker('inspect', '--format', '{{.State.StartedAt}}', skills!.Name);
  const before = await startedAt();
  await stack.docker('exec', skills!.Name, 'sh', '-c', 'kill -TERM 1');
  await expect.poll(startedAt, { timeout: 60_000 }).not.toBe(before);
  await expect.poll(allWell, { timeout: 60_000 }).toEqual([]);
});

test('while Redis hangs nothing runs, since no key could be revoked, and readers are served', async () => {
  await stack.compose('pause', 'redis');
  expect((await create('Without Redis')).json).toMatchObject({ code: 'policy_unavailable', applied: 'no' });
  expect(await status('/sites/news/articles/the-ferry-sails')).toBe(200);
  await stack.compose('unpause', 'redis');
  await expect.poll(() => works('With Redis'), { timeout: 60_000 }).toBe(true);
});

test('calls go on after NATS and PostgreSQL were restarted', async () => {
  await stack.compose('restart', 'nats');
  await expect.poll(() => works('After NATS'), { timeout: 60_000 }).toBe(true);
  await stack.compose('restart', 'postgres');
  await expect.poll(() => works('After PostgreSQL'), { timeout: 60_000 }).toBe(true);
  await expect.poll(allWell, { timeout: 60_000 }).toEqual([]);
});

test('no secret stands in a log, or in what the engine tells of a container', async () => {
  const names = (await stack.containers()).map(({ Name }) => Name);
  const told = (await stack.docker('inspect', ...names)) + (await stack.compose('logs', '--no-color'));
  expect(stack.secrets.filter((secret) => told.includes(secret))).toEqual([]);
});

test('all of it stops in order, and comes up again with what it had', async () => {
  const before = await titles();
  await agent.close();
  await stack.compose('stop');
  for (const { Name, ExitCode } of await ofServices([...ownServices, 'edge', 'postgres', 'redis']))
    expect(ExitCode, Name).toBe(0);
  await stack.compose('down');

  await stack.compose('up', '--detach', '--wait');
  expect(await stack.compose('logs', '--no-log-prefix', 'migrate')).toContain('The database is up to date.');
  expect(await status('/sites/news/articles/the-ferry-sails')).toBe(200);
  agent = await hire();
  expect((await titles()).sort()).toEqual(before.sort());
  await expect.poll(() => works('Once more'), { timeout: 60_000 }).toBe(true);

  const verify = ['node', 'deploy/dist/local/cloudhal.js', 'audit', 'verify'];
  const signed = ['--checkpoints', '/var/lib/cloudhal/checkpoints', '--pubkey', '/run/secrets/checkpoint-jwks.json'];
  expect(await stack.compose('exec', '-T', 'audit', ...verify, ...signed)).toContain('The record is whole');
});
