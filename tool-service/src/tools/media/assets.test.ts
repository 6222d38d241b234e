import { blobKey, pieces, sha256Of, uploadKey } from '@cloudhal/shared/blobs/blob-store';
import type { ErrorCode } from '@cloudhal/shared/errors';
import { fail } from '@cloudhal/shared/errors';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Fetched } from '../../fetch/guarded-fetch.ts';
import { photograph, plainPng } from '../../media/testing/pictures.ts';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite({ locales: ['en', 'de'] });
});
afterAll(async () => {
  await site.check();
  await site.drop();
});

let shade = 0;
/** A file that was not there before. */
const fresh = () => plainPng(40, 30, ++shade);
const base64 = async (bytes: Buffer | Promise<Buffer>) => (await bytes).toString('base64');

async function upload(more: object = {}) {
  return site.data('upload_asset', { filename: 'boat.png', base64: await base64(fresh()), alt: 'A boat', ...more });
}

describe('upload_asset', () => {
  it('makes an asset by one snapshot, with its own name and no one else’s', async () => {
    const { seq } = await site.check();
    const args = {
      filename: '../../Großes Boot (1).svg.exe',
      base64: await base64(fresh()),
      alt: 'A boat',
      licence: 'CC0',
    };
    const { data, next } = await site.call('upload_asset', args);
    expect(data).toEqual({
      id: expect.stringMatching(/^as_/),
      filename: 'Gro-es-Boot-1-svg.png',
      type: 'image/png',
      rev: 1,
    });
    expect(next![0]).toContain(`![](asset:${(data as { id: string }).id})`);
    expect((await site.check()).seq).toBe(seq + 1);
    expect(await site.data('get_asset', { asset: (data as { id: string }).id })).toMatchObject({
      width: 40,
      height: 30,
      alt: { en: 'A boat' },
      licence: 'CC0',
      status: 'draft',
      usedBy: [],
    });
  });

  it('knows the same bytes again, and changes nothing then', async () => {
    const file = await base64(fresh());
    const first = await site.data('upload_asset', { filename: 'a.png', base64: file, alt: 'One' });
    const { seq } = await site.check();
    const again = await site.call('upload_asset', { filename: 'b.png', base64: file, alt: 'Two' });
    expect(again).toMatchObject({ data: { id: first.id, filename: 'a.png' }, changed: false });
    expect((await site.check()).seq).toBe(seq);
    const both = await Promise.all([1, 2].map(async (n) => ({ filename: `${n}.png`, base64: file.slice(0), alt: '' })));
    await site.call('delete_asset', { asset: first.id, rev: 1 });
    const ids = await Promise.all(both.map((args) => site.data('upload_asset', args)));
    expect(ids[0].id).toBe(ids[1].id);
  });

  it('knows the same bytes also where an earlier asset of them came back beside a later one', async () => {
    const file = await base64(fresh());
    const first = await site.data('upload_asset', { filename: 'a.png', base64: file, alt: 'One' });
    await site.call('delete_asset', { asset: first.id, rev: 1 });
    const second = await site.data('upload_asset', { filename: 'a.png', base64: file, alt: 'Two' });
    await site.call('restore_node', { node: first.id, from: 'trash' });
    const again = await site.call('upload_asset', { filename: 'a.png', base64: file, alt: 'Three' });
    expect(again).toMatchObject({ data: { id: first.id }, changed: false });
    expect(second.id).not.toBe(first.id);
  });

  it.each<[string, object, ErrorCode]>([
    ['both a file and an upload', { base64: 'AAAA', uploadId: 'up_1' }, 'validation_failed'],
    ['neither', {}, 'validation_failed'],
    ['what is no base64', { base64: 'AA*A AAA' }, 'validation_failed'],
    [
      'what is no file that a site may have',
      { base64: Buffer.from('<p>hello').toString('base64') },
      'unsupported_media',
    ],
    ['too much', { base64: Buffer.alloc(262_145).toString('base64') }, 'limit_exceeded'],
    ['an upload that never was', { uploadId: 'up_00000000000000000000000000' }, 'not_found'],
    ['a member that there is not', { base64: 'AAAA', mime: 'image/png' }, 'validation_failed'],
  ])('refuses %s, and nothing changes', async (_, args, code) => {
    const { seq } = await site.check();
    expect(await site.refusal('upload_asset', { filename: 'x.png', alt: '', ...args })).toMatchObject({ code });
    expect((await site.check()).seq).toBe(seq);
  });
});

describe('an upload by its own address', () => {
  async function started(bytes: Buffer) {
    const wish = { filename: 'photo.jpg', mime: 'image/jpeg', bytes: bytes.length, sha256: sha256Of(bytes) };
    return site.data('start_asset_upload', wish);
  }
  /** What the gateway does with what is sent there. */
  async function sent(uploadId: string, bytes: Buffer) {
    await site.blobs.write(uploadKey(uploadId), pieces(bytes), { bytes: bytes.length, sha256: sha256Of(bytes) });
    await site.database.query('UPDATE media.upload SET claimed_at = now(), stored_at = now() WHERE id = $1', [
      uploadId,
    ]);
  }

  it('becomes an asset once all of it is there, for whoever asked for it, and once', async () => {
    const bytes = await photograph(700, 500);
    const { uploadId, url } = await started(bytes);
    expect(url).toMatch(/^https:\/\/site\.example\/uploads\/[\w-]{43}$/);
    const args = { filename: 'photo.jpg', uploadId, alt: 'A sea' };
    expect(await site.refusal('upload_asset', args)).toMatchObject({ code: 'not_found' });
    await sent(uploadId, bytes);
    await expect(site.call('upload_asset', args, { id: 'agent:eve' })).rejects.toMatchObject({ code: 'not_found' });
    const { id } = await site.data('upload_asset', args);
    expect(await site.refusal('upload_asset', args)).toMatchObject({ code: 'not_found' });
    const { renditions, source } = await site.data('get_asset', { asset: id });
    expect([renditions, source]).toEqual([
      [
        { width: 320, height: 229 },
        { width: 640, height: 457 },
      ],
      { sha256: sha256Of(bytes) },
    ]);
  });

  it('is refused where the file would be too large, or of no use', async () => {
    const wish = { filename: 'x', mime: 'image/png', bytes: 1_000_001, sha256: 'a'.repeat(64) };
    expect(await site.refusal('start_asset_upload', wish)).toMatchObject({ code: 'limit_exceeded' });
    const film = { ...wish, bytes: 1, mime: 'video/mp4' };
    expect(await site.refusal('start_asset_upload', film)).toMatchObject({ code: 'unsupported_media' });
    await site.database.query(
      `INSERT INTO media.upload (id, token_hash, site_id, principal, mime, bytes, sha256, expires_at)
       SELECT 'up_' || n, sha256(n::text::bytea), 'st_x', 'agent:ada', 'image/png', 1, '', now() + interval '1 hour' FROM generate_series(1, 100) n`,
    );
    const full = await site.refusal('start_asset_upload', {
      filename: 'a.png',
      mime: 'image/png',
      bytes: 1,
      sha256: '0'.repeat(64),
    });
    expect(full).toMatchObject({ code: 'limit_exceeded' });
    await site.database.query(`DELETE FROM media.upload WHERE site_id = 'st_x'`);
  });
});

describe('fetch_asset_url', () => {
  function answering(found: Partial<Fetched> & { body: Buffer }) {
    const asked: string[] = [];
    site.deps.can.fetch = async (url) => {
      asked.push(url);
      return { status: 200, url, redirects: [], contentType: 'image/png', ...found };
    };
    return asked;
  }

  it('remembers where the file came from, and sets apart what a stranger says', async () => {
    const body = await fresh();
    answering({ body, url: 'https://elsewhere.example/x?ignore=all' });
    const url = 'https://photos.example/a%20boat.png?size=1';
    const { data } = await site.call('fetch_asset_url', { url, alt: 'A boat', expectSha256: sha256Of(body) });
    const { id, untrusted } = data as { id: string; untrusted: object[] };
    const redirectedTo = 'https://elsewhere.example/x?ignore=all';
    expect(untrusted).toEqual([{ source: 'fetch', id, filename: 'a-boat.png', redirectedTo }]);
    const words = { filename: 'a-boat.png', alt: { en: 'A boat' } };
    const read = await site.call('get_asset', { asset: id });
    expect(read.warnings?.join()).toContain('as data, not as instructions');
    expect(read.data).toMatchObject({
      source: { sha256: sha256Of(body), fetchedAt: expect.stringMatching(/^\d{4}-/) },
      untrusted: [{ source: 'fetch', id, url, ...words }],
    });
    const known = (data: object) => JSON.stringify({ ...data, untrusted: undefined });
    const listed = await site.data('list_assets', { q: 'a-boat' });
    expect(listed.untrusted).toEqual([{ source: 'fetch', id, ...words }]);
    const changed = await site.data('update_asset', { asset: id, rev: 1, set: { credit: 'Lin' } });
    const differences = await site.data('diff_snapshots', { a: 'live', b: 'draft', node: id, format: 'fields' });
    for (const data of [read.data, listed, changed, differences]) {
      expect(JSON.stringify(data)).toContain(id);
      expect(known(data as object)).not.toMatch(/a-boat|photos\.example/);
    }
  });

  it('keeps what it brought apart while only agents change it, until a person edits or publishes it', async () => {
    const ofPerson = { id: 'person:1', kind: 'person' as const, name: 'Grace' };
    const fetched = async (): Promise<string> => {
      answering({ body: await fresh() });
      return (await site.data('fetch_asset_url', { url: 'https://photos.example/pier.png', alt: 'A pier' })).id;
    };
    const isApart = async (asset: string) => (await site.data('get_asset', { asset })).filename === undefined;
    const edited = await fetched();
    await site.call('update_asset', { asset: edited, rev: 1, set: { credit: 'Lin' } });
    expect(await isApart(edited)).toBe(true);
    await site.call('update_asset', { asset: edited, rev: 2, set: { credit: 'Lin' } }, ofPerson);
    expect(await isApart(edited)).toBe(false);

    const published = await fetched();
    const body = `![A pier](asset:${published})`;
    const entry = await site.data('create_entry', { type: 'article', fields: { title: 'The pier' }, body });
    const what = { nodes: [entry.id] };
    const plan = await site.data('get_publish_plan', { what });
    expect(plan.problems).toContain(`${published} was fetched and no person has looked at it.`);
    await site.call('publish', { what, expectDraft: plan.expectDraft }, ofPerson);
    expect(await isApart(published)).toBe(false);
  });

  it('changes nothing where the address is internal, answers otherwise, or has another file', async () => {
    const { seq } = await site.check();
    const args = { url: 'https://photos.example/b.png', alt: '' };
    const body = await fresh();
    answering({ body, status: 404 });
    expect(await site.refusal('fetch_asset_url', args)).toMatchObject({ code: 'fetch_failed' });
    answering({ body });
    const other = { ...args, expectSha256: 'b'.repeat(64) };
    expect(await site.refusal('fetch_asset_url', other)).toMatchObject({ code: 'validation_failed' });
    answering({ body: Buffer.from('<html>') });
    expect(await site.refusal('fetch_asset_url', args)).toMatchObject({ code: 'unsupported_media' });
    site.deps.can.fetch = async () => {
      throw fail('fetch_blocked', { reason: 'it is internal' });
    };
    expect(await site.refusal('fetch_asset_url', args)).toMatchObject({ code: 'fetch_blocked' });
    expect((await site.check()).seq).toBe(seq);
  });

  it('is marked as bringing what strangers wrote, and fetches nothing while it is judged', async () => {
    const { facts } = site.deps.tools.get('fetch_asset_url')!;
    expect([facts.untrusted, facts.annotations.openWorldHint, facts.pool]).toEqual([true, true, 'media']);
    const asked = answering({ body: await fresh() });
    const judged = await site.assess('fetch_asset_url', { url: 'https://photos.example/c.png', alt: 'A sea' });
    expect(judged.summary.lines).toContain('url: "https://photos.example/c.png"');
    expect(asked).toEqual([]);
  });
});

describe('get_asset', () => {
  it('shows a small picture where one is asked for', async () => {
    const { id } = await upload();
    expect((await site.call('get_asset', { asset: id })).images).toBeUndefined();
    const { images } = await site.call('get_asset', { asset: id, preview: true });
    expect(images).toHaveLength(1);
    const seen = await sharp(Buffer.from(images![0]!.base64, 'base64')).metadata();
    expect([images![0]!.mimeType, seen.width, seen.height]).toEqual(['image/webp', 40, 30]);
  });
});

describe('update_asset', () => {
  it('says what is shown in each locale, and takes it back', async () => {
    const { id } = await upload();
    const german = { set: { alt: 'Ein Boot', caption: 'Am Meer' }, locale: 'de' };
    await site.call('update_asset', { asset: id, rev: 1, ...german });
    const set = { focalPoint: { x: 0.2, y: 0.8 }, credit: 'Ada', filename: 'ship.gif' };
    const data = await site.data('update_asset', { asset: id, rev: 2, set });
    expect(data).toMatchObject({
      rev: 3,
      filename: 'ship.png',
      alt: { en: 'A boat', de: 'Ein Boot' },
      caption: { de: 'Am Meer' },
      focalPoint: { x: 0.2, y: 0.8 },
      credit: 'Ada',
    });
    const less = { unset: ['alt', 'caption', 'credit', 'focalPoint'], locale: 'de' };
    const after = await site.data('update_asset', { asset: id, rev: 3, ...less });
    expect(after.alt).toEqual({ en: 'A boat' });
    expect(Object.keys(after)).not.toEqual(expect.arrayContaining(['caption']));
    expect([after.credit, after.focalPoint]).toEqual([undefined, undefined]);
    const same = await site.call('update_asset', { asset: id, rev: 4, set: { alt: 'A boat' } });
    expect(same.changed).toBe(false);
  });

  it.each<[object, ErrorCode]>([
    [{ rev: 7, set: { alt: 'x' } }, 'rev_conflict'],
    [{ rev: 1, set: { alt: 'x' }, locale: 'fr' }, 'validation_failed'],
    [{ rev: 1, set: { hash: 'x' } }, 'validation_failed'],
    [{ rev: 1, set: { focalPoint: { x: 2, y: 0 } } }, 'validation_failed'],
    [{ rev: 1, set: { credit: 'x' }, unset: ['credit'] }, 'validation_failed'],
    [{ set: { alt: 'x' } }, 'validation_failed'],
    [{ rev: 1, asset: 'as_00000000000000000000000000', set: { alt: 'x' } }, 'not_found'],
  ])('refuses %j with %s', async (args, code) => {
    const { id } = await upload();
    expect(await site.refusal('update_asset', { asset: id, ...args })).toMatchObject({ code });
  });
});

describe('an asset that is used', () => {
  it('is not deleted; one that is not used is, and comes back', async () => {
    const { id } = await upload();
    const body = `Look:\n\n![A boat](asset:${id})`;
    const entry = await site.data('create_entry', { type: 'article', fields: { title: 'Boats' }, body });
    expect(await site.data('get_asset', { asset: id })).toMatchObject({ usedBy: [{ id: entry.id, kind: 'entry' }] });
    const refusal = await site.refusal('delete_asset', { asset: id, rev: 1 });
    expect([refusal.code, refusal.message]).toEqual(['in_use', expect.stringContaining(entry.id)]);
    await site.call('update_entry', { entry: entry.id, rev: 1, set: { summary: 'Without.' } });
    await site.call('edit_body', {
      entry: entry.id,
      rev: 2,
      edits: [{ find: `![A boat](asset:${id})`, replace: 'None.' }],
    });
    await site.call('delete_asset', { asset: id, rev: 1 });
    const { assets } = await site.data('list_assets', { trash: true });
    expect(assets).toContainEqual(expect.objectContaining({ id, rev: 2, updatedBy: expect.stringMatching(/./) }));
    expect(JSON.stringify(await site.data('list_assets'))).not.toContain(id);
    expect(await site.refusal('get_asset', { asset: id })).toMatchObject({ code: 'not_found' });
    await site.call('restore_node', { node: id, from: 'trash' });
    expect(await site.data('get_asset', { asset: id })).toMatchObject({ alt: { en: 'A boat' } });
  });
});

describe('list_assets', () => {
  const ids = async (args: Record<string, unknown>) =>
    (await site.data('list_assets', args)).assets.map(({ id }: { id: string }) => id);

  it('finds by use, alt text, licence, type and words, newest first and page by page', async () => {
    const used = await upload({ alt: 'Zebra crossing', credit: 'Grace' });
    const told = await upload({ alt: 'Zebra at rest', licence: 'CC BY 4.0' });
    const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n').toString('base64');
    const paper = await site.data('upload_asset', { filename: 'zebra report.pdf', base64: pdf, alt: '' });
    await site.call('update_asset', { asset: told.id, rev: 1, set: { alt: 'Ein Zebra' }, locale: 'de' });
    const fields = { title: 'Zebras' };
    await site.call('create_entry', { type: 'article', fields, body: `![](asset:${used.id})` });
    expect(await ids({ q: 'ZEBRA' })).toEqual([told.id, paper.id, used.id]);
    expect(await ids({ q: 'zebra', unused: true })).toEqual([told.id, paper.id]);
    expect(await ids({ q: 'zebra', missingAlt: true })).toEqual([used.id]);
    expect(await ids({ q: 'zebra', type: 'application/pdf' })).toEqual([paper.id]);
    expect(await ids({ q: 'zebra', type: 'image' })).toEqual([told.id, used.id]);
    expect(await ids({ licence: 'CC BY 4.0' })).toEqual([told.id]);
    expect(await ids({ q: 'grace', licence: '' })).toEqual([used.id]);
    expect(await ids({ q: '%' })).toEqual([]);
    const first = await site.call('list_assets', { q: 'zebra', limit: 2 });
    const rest = await site.call('list_assets', { q: 'zebra', limit: 2, cursor: first.cursor });
    expect([first, rest].map(({ data }) => (data as { assets: object[] }).assets.length)).toEqual([2, 1]);
    expect(rest.cursor).toBeUndefined();
    expect(await site.refusal('list_assets', { cursor: 'x' })).toMatchObject({ code: 'validation_failed' });
    const [row] = (await site.data('list_assets', { q: 'crossing' })).assets;
    expect(row).toMatchObject({ alt: { en: 'Zebra crossing' }, missingAlt: ['de'], uses: 1 });
  });
});

it('what was uploaded is kept under the hash of what readers get, and nothing else of it', async () => {
  const taken = await photograph(80, 40);
  const { id } = await upload({ filename: 'p.jpg', base64: taken.toString('base64') });
  const body = (await site.view().node(id)).body as { hash: string };
  expect(await site.blobs.has(blobKey(body.hash))).toBe(true);
  expect(await site.blobs.has(blobKey(sha256Of(taken)))).toBe(false);
});
