import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Agent, agreeing, type Newsroom, openNewsroom } from './newsroom.ts';

let newsroom: Newsroom;
let agent: Agent;
beforeAll(async () => {
  newsroom = await openNewsroom();
  agent = await newsroom.hire({ person: agreeing });
}, 120_000);
afterAll(() => newsroom?.stop(), 60_000);

async function made(tool: string, args: object) {
  const called = await agent.call(tool, { ...args });
  expect(called.isError, called.text).toBe(false);
  // biome-ignore lint/suspicious/noExplicitAny: whatever the tool answers
  return called.json as { data: any; rev: number; snapshot: string };
}
const reason = 'The desk asked for it.';

test('an agent proposes a type and a person, writes an entry that names them, and readers see it once people agreed', async () => {
  const person = await made('propose_person', { set: { name: 'Ada Byron' }, reason });
  const field = (name: string, schema: object, more: object = {}) => ({ op: 'add', field: name, schema, ...more });
  const ops = [
    field('startsOn', { type: 'string', format: 'date' }, { required: true }),
    field('host', { type: 'string', references: 'person' }),
  ];
  await made('propose_content_type', { type: 'event', title: 'Events', pathPrefix: '/events', ops, reason });
  const fields = { title: 'Night of the museums', startsOn: '2026-12-05', host: 'ada-byron' };
  const event = await made('create_entry', { type: 'event', fields, body: 'Come.', bylines: [person.data.id] });
  const { data: plan } = await made('get_publish_plan', { what: { all: true } });
  await made('publish', { what: { all: true }, expectDraft: plan.expectDraft });

  const page = await fetch(`${newsroom.deployment.url}/sites/news/events/night-of-the-museums`);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('<dt>Host</dt><dd>Ada Byron</dd>');

  // Another field follows in the entry that is there, again with a person.
  const seats = { ...field('seats', { type: 'integer', minimum: 1, default: 40 }), required: true };
  const { data } = await made('propose_content_type', { type: 'event', rev: 1, ops: [seats], reason });
  expect(data.entries).toMatchObject({ entries: 1, migrated: 1 });
  const read = await made('get_entry', { entry: event.data.id });
  expect(read.data.fields).toMatchObject({ seats: 40 });
});

test('a client that cannot ask gets a token for a retraction, which counts once', async () => {
  const silent = await newsroom.connectAs(agent);
  const entry = await made('create_entry', { type: 'article', fields: { title: 'Hoax' }, body: 'Said.' });
  const args = { entry: entry.data.id, rev: 1, text: 'None of it happened.', kind: 'retraction' };
  const asked = await silent.call('add_correction', args);
  expect(asked.json).toMatchObject({ code: 'approval_required', applied: 'no' });
  const { confirmToken } = asked.json.details as { confirmToken: string };
  expect(asked.text).toContain('no longer stands');
  const done = await silent.call('add_correction', { ...args, confirmToken });
  expect(done.isError, done.text).toBe(false);
  const again = await silent.call('add_correction', { ...args, confirmToken });
  expect(again.isError).toBe(true);
  const { data } = await made('list_corrections', { entry: entry.data.id });
  expect(data.corrections).toMatchObject([{ kind: 'retraction', status: 'draft' }]);
});
