import { createPublicKey } from 'node:crypto';
import { createInProcessBus } from '@cloudhal/shared/bus/in-process-bus';
import * as contracts from '@cloudhal/shared/contracts';
import { type Database, openDatabase } from '@cloudhal/shared/database';
import { uuidv7 } from '@cloudhal/shared/ids';
import { createPostgresKeyValue } from '@cloudhal/shared/key-value/postgres-key-value';
import { createLog } from '@cloudhal/shared/log';
import { argumentsHash, type Permit, signPermit } from '@cloudhal/shared/permit';
import { generateSigner } from '@cloudhal/shared/secrets';
import type { ToolResult } from '@cloudhal/shared/tool';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { start } from './service.ts';
import { addArticle, openTestSite, pageBody, type TestSite } from './testing/test-site.ts';

const { signer } = generateSigner();
const log = createLog('tool-service', { level: 'silent' });
const bus = createInProcessBus();
let site: TestSite;
let database: Database;
let stop: () => Promise<void>;
let permitted: Partial<Permit> = {};

beforeAll(async () => {
  site = await openTestSite({ locales: ['en', 'de'] });
  // As the role that the service has in a deployment.
  database = openDatabase({ url: site.urlAs('tools'), name: 'tools' });
  const keyValue = await createPostgresKeyValue(site.database);
  const stopService = await start({
    bus,
    database,
    keyValue,
    verifier: new Map([[signer.kid, createPublicKey(signer.privateKey)]]),
    log,
    settings: {
      pools: ['content'],
      recordReads: 'stream',
      publicUrl: 'https://studio.example/',
      browser: { sandbox: true },
      slots: 4,
    },
  });
  // What policy-service does with a call that it allows.
  const stopPolicy = await bus.answer(contracts.call, async ({ callId, tool, arguments: args }, context) => {
    const permit: Permit = {
      callId,
      tool,
      argumentsHash: argumentsHash(args),
      principal: { id: 'local', kind: 'local', name: 'You' },
      site: site.id,
      sites: '*',
      scopes: '*',
      mode: 'bypass',
      rule: 'bypass.any',
      policyVersion: '1',
      answerTo: context.answerTo,
      ...permitted,
    };
    return context.forward(
      contracts.run.content,
      { permit: signPermit(permit, signer), arguments: args },
      'tool_unavailable',
    );
  });
  stop = async () => {
    await stopPolicy();
    await stopService();
    await keyValue.close();
    await database.close();
    await bus.close();
    await site.drop();
  };
});
afterAll(() => stop());

async function call(tool: string, args: Record<string, unknown>, callId = uuidv7()): Promise<ToolResult> {
  const request = { callId, principal: 'signed', tool, arguments: args, canElicit: false };
  const reply = await bus.request(contracts.call, request, { timeoutMs: 10_000 });
  if (reply.kind !== 'result') throw new Error(reply.kind);
  return reply.result;
}

const ask = <Q, A>(message: import('@cloudhal/shared/bus/bus').Message<Q, A>, query: Q) =>
  bus.request(message, query, { timeoutMs: 10_000 });
const page = (path: string) => ask(contracts.sitePage, { site: 'example', path, basePath: '/sites/example' });

describe('the service', () => {
  it('answers a call that was passed on to it, as the role that it has in a deployment', async () => {
    const created = await call('create_entry', {
      type: 'article',
      fields: { title: 'Hello' },
      body: 'See [us](/about).',
    });
    expect(created).toMatchObject({ changed: true, data: { slug: 'hello' } });
    const { id } = created.data as { id: string };
    expect(await call('update_entry', { entry: id, rev: 1, set: { summary: 'Short.' } })).toMatchObject({ rev: 2 });
    expect(await call('get_entry', { entry: 'hello' })).toMatchObject({
      data: { rev: 2, fields: { summary: 'Short.' } },
    });
    expect(await call('search_site', { query: 'hello' })).toMatchObject({ data: { hits: [{ id }] } });
  });

  it('refuses what was permitted for another inbox', async () => {
    permitted = { answerTo: '_INBOX_gateway.other' };
    await expect(call('get_entry', { entry: 'hello' })).rejects.toMatchObject({ code: 'permit_invalid' });
    permitted = {};
  });

  it('says what it serves: the catalogue and the sites', async () => {
    const { digest, tools } = await ask(contracts.catalog, {});
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(tools.map((tool) => tool.name)).toContain('publish');
    expect((await ask(contracts.sites, {})).sites).toEqual([{ id: site.id, slug: 'example', title: 'Example' }]);
  });

  it('makes a site once, and refuses one whose address is taken or whose locales are none', async () => {
    const actor = { id: 'person:1', name: 'Olga' };
    const made = await ask(contracts.createSite, {
      site: { slug: 'second', title: 'Second', locales: ['de', 'en'] },
      actor,
    });
    expect(made).toMatchObject({ slug: 'second', title: 'Second' });
    await expect(ask(contracts.createSite, { site: { slug: 'second', title: 'Again' }, actor })).rejects.toMatchObject({
      code: 'slug_taken',
    });
    await expect(
      ask(contracts.createSite, { site: { slug: 'third', title: 'T', locales: ['en', 'en'] }, actor }),
    ).rejects.toMatchObject({ code: 'validation_failed' });
    expect((await ask(contracts.sites, {})).sites.map((one) => one.slug)).toEqual(['example', 'second']);
  });

  it('says what a call would do, and what became of one', async () => {
    const args = { what: { all: true }, expectDraft: (await site.view().head()).snapshot };
    const assessment = await ask(contracts.assess, { tool: 'publish', site: site.id, arguments: args });
    expect(assessment).toMatchObject({
      effect: 'auto-publish',
      articlesOnly: true,
      problems: ['"Hello" links to "/about", which is not live.'],
    });
    const callId = uuidv7();
    const result = await call('create_entry', { type: 'article', fields: { title: 'Resolved' } }, callId);
    expect(await ask(contracts.resolve, { callId, abort: true })).toEqual({ state: 'succeeded', result });
    expect(await ask(contracts.resolve, { callId: uuidv7(), abort: true })).toEqual({ state: 'aborted' });
  });
});

describe('the published site', () => {
  it('shows what is live and nothing else', async () => {
    await site.change((draft) => draft.create('page', pageBody('about', { title: 'About us' })));
    expect(await page('/about')).toMatchObject({ status: 404, html: expect.stringContaining('<html') });
    const { snapshot } = await site.view().head();
    await call('publish', { what: { all: true }, expectDraft: snapshot });
    const about = await page('/about');
    expect(about).toMatchObject({
      status: 200,
      contentType: 'text/html; charset=utf-8',
      html: expect.stringContaining('About us'),
    });
    expect((await page('/articles/hello')).html).toContain('Hello');
    expect((await page('/articles')).html).toContain('href="/sites/example/articles/hello"');
    expect((await page('/')).html).toContain('Hello');
    expect(await page('/about/')).toMatchObject({ status: 308, location: '/sites/example/about' });
    expect(await page('/articles/page/2')).toMatchObject({ status: 404 });
  });

  it('has an etag that stays while nothing is published and changes when what it shows does', async () => {
    const { etag } = await page('/about');
    const list = await page('/articles');
    await addArticle(site, 'later');
    expect((await page('/articles')).etag).toBe(list.etag);
    expect(list.etag).not.toBe(etag);
    await call('publish', { what: { all: true }, expectDraft: (await site.view().head()).snapshot });
    expect((await page('/articles')).etag).not.toBe(list.etag);
    expect((await page('/about')).etag).toBe(etag);
  });

  it('finds other locales under their own first segment', async () => {
    const { data } = await site.change((draft) =>
      draft.create('page', pageBody('about', { title: 'Über uns', locale: 'de' })),
    );
    await site.publish((data as { id: string }).id);
    expect((await page('/de/about')).html).toContain('Über uns');
    expect((await page('/about')).html).toContain('About us');
  });

  it('is not there for a site that is not there', async () => {
    await expect(ask(contracts.sitePage, { site: 'nowhere', path: '/', basePath: '' })).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});

describe('a preview link', () => {
  const open = (url: string) => {
    const token = new URL(url).pathname.replace('/preview/', '');
    return ask(contracts.sitePreview, { token, basePath: `/preview/${token}` });
  };

  it('shows its node in its state, with a banner, until it ends', async () => {
    const node = await addArticle(site, 'previewed', { body: 'Only a draft.' });
    const { data } = await call('preview_page', { node: node.id });
    const { url } = data as { url: string };
    expect(url).toMatch(/^https:\/\/studio\.example\/preview\/[\w-]{43}$/);
    const shown = await open(url);
    expect(shown).toMatchObject({ status: 200, html: expect.stringContaining('Only a draft.') });
    expect(shown.html).toContain('aria-label="Preview"');
    await site.database.query(`UPDATE tools.preview SET expires_at = now() - interval '1 second'`);
    await expect(open(url)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is nothing that can be guessed or found in the store', async () => {
    const { data } = await call('preview_page', { node: '/about' });
    const secret = (data as { url: string }).url.split('/').at(-1)!;
    const guess = `${secret.startsWith('A') ? 'B' : 'A'}${secret.slice(1)}`;
    await expect(open(`https://studio.example/preview/${guess}`)).rejects.toMatchObject({ code: 'not_found' });
    const [{ held }] = (await site.database.query<{ held: boolean }>(
      'SELECT bool_or(row_to_json(p)::text LIKE $1) AS held FROM tools.preview p',
      [`%${secret}%`],
    )) as [{ held: boolean }];
    expect(held).toBe(false);
  });
});
