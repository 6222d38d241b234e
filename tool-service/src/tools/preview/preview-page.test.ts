import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
let page: { id: string };
beforeAll(async () => {
  site = await openToolSite();
  page = await site.data('create_page', { title: 'About' });
});
afterAll(() => site.drop());

describe('preview_page', () => {
  it('gives a link to one node in one state, and changes nothing', async () => {
    const before = await site.check();
    const link = await site.data('preview_page', { node: '/about', ttlMinutes: 5 });
    expect(link).toMatchObject({ node: page.id, rev: 1, url: expect.stringMatching(/^https?:/) });
    expect(Date.parse(link.expiresAt)).toBeGreaterThan(Date.now());
    expect(await site.check()).toEqual(before);
  });

  it.each([
    [{ node: '/none' }, 'not_found'],
    [{ node: 'pg_none' }, 'not_found'],
    [{ node: '/about', view: 'live' }, 'not_found'],
    [{ node: '/about', view: 'snapshot' }, 'validation_failed'],
    [{ node: '/about', ttlMinutes: 1441 }, 'validation_failed'],
    [{ node: '/about', ttlMinutes: 0 }, 'validation_failed'],
    [{ node: '/about', fields: {} }, 'validation_failed'],
  ])('refuses %j', async (args, code) => {
    expect(await site.refusal('preview_page', args)).toMatchObject({ code });
  });

  it('refuses what is neither page nor entry', async () => {
    expect(await site.refusal('preview_page', { node: site.id })).toMatchObject({ code: 'validation_failed' });
  });
});
