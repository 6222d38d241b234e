import { type Role, roles } from '@cloudhal/shared/policy';
import { plainPng } from '@cloudhal/tool-service/media/testing/pictures';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../people.ts';
import { openStage, type Stage } from './stage.ts';

let stage: Stage;
let site: string;
const people = {} as Record<Role, Person>;
beforeAll(async () => {
  stage = await openStage();
  site = (await stage.house.sites())[0]!.id;
  for (const role of roles) people[role] = await stage.person(role);
}, 120_000);
afterAll(() => stage?.stop());

const all: Role[] = [...roles];
const deciding: Role[] = ['owner', 'editor', 'reviewer'];
const writing: Role[] = ['owner', 'editor'];
const owning: Role[] = ['owner'];
const seeingAll: Role[] = ['owner', 'auditor'];
const tool = (name: string, args: object) =>
  ['POST', `tools/${name}`, { arguments: { site: '<site>', ...args } }] as const;
const file = { filename: 'dot.png', mime: 'image/png', bytes: 1, sha256: '0'.repeat(64) };
const dot = (await plainPng(1, 1)).toString('base64');
const schedule = { release: 'rel_none', rev: 1, at: '2999-01-01T09:00:00Z', timeZone: 'UTC', expectDigest: 'none' };

/** What each page of Studio asks the server for, and whose role it answers. Ids that nobody has are found missing, not forbidden. */
const calls: [string, readonly [string, string, object?], Role[]][] = [
  ['the inbox', ['GET', 'approvals?state=pending'], all],
  ['one request', ['GET', 'approvals/<approval>'], all],
  ['rejecting a publish', ['POST', 'approvals/<approval>/reject', {}], deciding],
  ['requests for autonomy', ['GET', 'elevations'], all],
  ['granting autonomy', ['POST', 'elevations/elv_none/grant', {}], writing],
  ['refusing autonomy', ['POST', 'elevations/elv_none/refuse', {}], writing],
  ['ending autonomy', ['POST', 'elevations/elv_none/end', {}], writing],
  ['the record', ['GET', 'activity'], all],
  ['what happened', ['GET', 'activity/entries?kind=calls'], all],
  ['whether the record is whole', ['GET', 'activity/record'], seeingAll],
  ['verifying it', ['POST', 'activity/record/verify', {}], seeingAll],
  ['the agents', ['GET', 'agent-keys'], all],
  ['how much they are used', ['GET', 'agent-keys/usage'], all],
  ['what one could do', ['POST', 'agent-keys/outcomes', { scopes: ['publish'], mode: 'auto' }], writing],
  ['connecting an agent that publishes', ['POST', 'agent-keys', { name: 'x', scopes: ['publish'] }], writing],
  ['the people', ['GET', 'people'], all],
  ['open invitations', ['GET', 'people/invitations'], owning],
  ['inviting', ['POST', 'people/invitations', { role: 'auditor' }], owning],
  ['withdrawing an invitation', ['DELETE', 'people/invitations/inv_none'], owning],
  ['changing a role', ['PATCH', 'people/usr_none', { role: 'owner' }], owning],
  ['removing somebody', ['DELETE', 'people/usr_none'], owning],
  ['the sites', ['GET', 'sites'], all],
  ['making a site', ['POST', 'sites', { slug: 'site-of-<role>', title: 'Another' }], owning],
  ['the rules of a site', ['GET', 'site-rules/<site>'], all],
  ['changing them', ['PATCH', 'site-rules/<site>', { taintMinutes: 20 }], owning],
  ['reading content', tool('list_entries', { type: 'article' }), all],
  ['what entries are sorted by', tool('list_taxonomies', {}), all],
  ['the terms of it', tool('list_terms', { taxonomy: 'topics' }), all],
  ['what terms are called', tool('query_nodes', { where: { kind: 'term' }, select: ['label'] }), all],
  ['whom bylines can name', tool('list_people', {}), all],
  ['writing content', tool('create_entry', { type: 'article', slug: 'by-<role>', fields: { title: 'x' } }), writing],
  ['a preview', tool('preview_page', { node: '/articles/none' }), deciding],
  ['changing content', tool('update_entry', { entry: '/articles/none', rev: 1, set: { title: 'y' } }), writing],
  ['starting an upload', tool('start_asset_upload', file), writing],
  ['adding a file', tool('upload_asset', { filename: 'dot.png', base64: dot, alt: '' }), writing],
  ['making a release', tool('create_release', { title: 'By <role>' }), writing],
  ['scheduling one', tool('schedule_release', schedule), writing],
  ['changing the settings of a site', tool('update_site', { rev: 99, set: { tagline: 'z' } }), writing],
  ['one’s own sessions', ['GET', 'session/all'], all],
];

describe('the server', () => {
  it.each(calls)(
    'answers whom it may about %s, and refuses everybody else',
    async (_, [method, path, body], allowed) => {
      const refused: Role[] = [];
      for (const role of roles) {
        const filled = await fill({ path, body }, role);
        const { status, body: answer } = await people[role].send(`/api/${filled.path}`, {
          method,
          ...(filled.body && { body: filled.body }),
        });
        if (status === 403 && ['forbidden', 'scope_missing'].includes(String(answer.code))) refused.push(role);
        else expect([200, 201, 204, 404, 400, 409], `${role}: ${status} ${JSON.stringify(answer)}`).toContain(status);
      }
      expect(refused).toEqual(roles.filter((role) => !allowed.includes(role)));
    },
  );

  it.each(calls)('tells nobody who is not signed in about %s', async (_, [method, path, body]) => {
    const filled = await fill({ path, body }, 'owner');
    const response = await fetch(`${stage.url}/api/${filled.path}`, {
      method,
      headers: { origin: stage.url, 'content-type': 'application/json' },
      ...(method === 'GET' ? {} : { body: JSON.stringify(filled.body ?? {}) }),
    });
    expect(response.status).toBe(401);
  });
});

/** The ids of this stage; a request of its own for each that is to be decided. */
async function fill<T extends object>(call: T, role: Role): Promise<T> {
  let text = JSON.stringify(call).replaceAll('<site>', site).replaceAll('<role>', role);
  if (text.includes('<approval>')) text = text.replaceAll('<approval>', await waiting());
  return JSON.parse(text) as T;
}

let count = 0;
async function waiting(): Promise<string> {
  const agent = await stage.agent({ name: `agent ${++count}` });
  const made = await agent.call('create_entry', {
    site,
    type: 'article',
    slug: `waits-${count}`,
    fields: { title: 'x' },
  });
  const what = { nodes: [(made.json.data as { id: string }).id] };
  const plan = await agent.call('get_publish_plan', { site, what });
  const { expectDraft } = plan.json.data as { expectDraft: string };
  const asked = await agent.call('publish', { site, what, expectDraft });
  return (asked.json.details as { approval: string }).approval;
}
