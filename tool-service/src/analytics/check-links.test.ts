import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fail } from '@cloudhal/shared/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGuardedFetch } from '../fetch/guarded-fetch.ts';
import { addArticle } from '../testing/test-site.ts';
import { openToolSite, type ToolSite } from '../tools/testing/tool-site.ts';
import { checkLinks, findLinks } from './check-links.ts';

const log = { warn: () => undefined };
let site: ToolSite;
let server: Server;
let base: string;
const asked: string[] = [];
beforeAll(async () => {
  site = await openToolSite();
  server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    const status =
      { '/gone': 404, '/members': 403, '/head': request.method === 'HEAD' ? 405 : 200 }[request.url!] ?? 200;
    response.writeHead(status).end('x');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  server.close();
  await site.drop();
});

const external = async () => (await site.data('broken_links', { kind: 'external' })).external;
/** A round of checks, as if everything were due. */
async function round(fetch = createGuardedFetch({ allow: [new URL(base).host] })): Promise<void> {
  await site.database.query('UPDATE tools.external_link SET due_at = now()');
  await checkLinks({ database: site.database, fetch, log });
}

describe('links of live pages to other sites', () => {
  it('are reported once they have failed twice, with the pages that have them, until they work or are taken out', async () => {
    const body = `[a](${base}/ok#part) [b](${base}/gone) [c](${base}/members) [d](${base}/head) [e](http://10.0.0.1/x)`;
    const { id, rev } = await addArticle(site, 'links', { body });
    await findLinks(site.database);
    expect(await site.database.query('SELECT 1 FROM tools.external_link')).toEqual([]);
    await site.publish(id);
    await findLinks(site.database);

    await round();
    expect(await external()).toEqual([]);
    expect(asked).toContain('GET /head');
    await round();
    expect(await external()).toEqual([
      {
        url: 'http://10.0.0.1/x',
        problem: expect.stringMatching(/not fetched/),
        checkedAt: expect.any(String),
        sources: [id],
      },
      { url: `${base}/gone`, problem: 'It answers 404.', checkedAt: expect.any(String), sources: [id] },
    ]);

    await site.call('update_entry', { entry: id, rev, set: { title: 'The same' } });
    await site.call('edit_body', { entry: id, rev: rev + 1, edits: [{ find: `[b](${base}/gone)`, replace: 'b' }] });
    await site.publish(id);
    expect((await external()).map(({ url }: { url: string }) => url)).toEqual(['http://10.0.0.1/x']);
    await findLinks(site.database);
    const left = await site.database.query(`SELECT url FROM tools.external_link WHERE url LIKE '%gone'`);
    expect(left).toEqual([]);
  });

  it('are not called broken while nothing at all can be reached', async () => {
    const many = await addArticle(site, 'many', {
      body: ['a', 'b', 'c'].map((host) => `[${host}](https://${host}.example/)`).join(' '),
    });
    await site.publish(many.id);
    await site.database.query('DELETE FROM tools.external_link');
    await site.database.query(
      `INSERT INTO tools.external_link (site_id, url) SELECT site_id, target FROM tools.edge WHERE track = 'live' AND source = $1`,
      [many.id],
    );
    const offline = () => Promise.reject(fail('fetch_failed', { reason: 'no network' }));
    for (let rounds = 0; rounds < 3; rounds++) await round(offline);
    expect(await external()).toEqual([]);
  });
});
