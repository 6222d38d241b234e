import { createHash, randomBytes } from 'node:crypto';
import { blobKey, pieces, readWhole, sha256Of, uploadKey } from '@cloudhal/shared/blobs/blob-store';
import { createPostgresBlobs } from '@cloudhal/shared/blobs/postgres-blobs';
import { previewMedia, siteMedia } from '@cloudhal/shared/contracts';
import { fail } from '@cloudhal/shared/errors';
import { houseFile } from '@cloudhal/shared/house-file';
import { migrate } from '@cloudhal/shared/migrate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeOf } from '../testing/mcp.ts';
import { type Replica, startWorld, type World } from '../testing/world.ts';

let world: World;
let replica: Replica;
const drawing = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"></svg>');
const hash = sha256Of(drawing);
const paper = '%PDF-1.7 paper';
const paperHash = sha256Of(Buffer.from(paper));

beforeAll(async () => {
  world = await startWorld();
  await migrate(world.owner, 'tools', houseFile('tool-service/migrations'));
  const blobs = createPostgresBlobs(world.owner);
  await blobs.write(blobKey(hash), pieces(drawing), { bytes: drawing.length, sha256: hash });
  await blobs.write(blobKey(paperHash), pieces(Buffer.from(paper)), { bytes: paper.length, sha256: paperHash });
  replica = await world.replica();
  await replica.bus.answer(siteMedia, async ({ site, asset, file }) => {
    if (site !== 'seals' || asset !== 'as_live') throw fail('not_found', { what: 'file', id: file });
    if (file.endsWith('.pdf')) return { hash: paperHash, type: 'application/pdf', filename: 'paper.pdf' };
    if (file.startsWith('0')) return { hash: '0'.repeat(64), type: 'image/png', filename: 'lost.png' };
    return { hash, type: 'image/svg+xml', filename: 'logo.svg' };
  });
  await replica.bus.answer(previewMedia, async ({ token, file }) => {
    if (token !== 'good') throw fail('not_found', { what: 'file', id: file });
    return { hash, type: 'image/svg+xml', filename: 'logo.svg' };
  });
});
afterAll(() => world.stop());

describe('a file of a site', () => {
  const path = `/sites/seals/media/as_live/${hash}.svg`;

  it('is served as what it is, for ever, and runs nothing', async () => {
    const file = await replica.send(path);
    expect([file.status, file.text]).toEqual([200, drawing.toString()]);
    expect(file.headers).toMatchObject({
      'content-type': 'image/svg+xml',
      'x-content-type-options': 'nosniff',
      'cache-control': 'public, max-age=31536000, immutable',
      'content-disposition': 'inline; filename="logo.svg"',
      'cross-origin-resource-policy': 'cross-origin',
      etag: `"${hash}"`,
    });
    expect(file.headers['content-security-policy']).toMatch(/^default-src 'none'.*; sandbox$/);
    const again = await replica.send(path, { headers: { 'if-none-match': `"${hash}"` } });
    expect([again.status, again.text]).toEqual([304, '']);
    const head = await replica.send(path, { method: 'HEAD' });
    expect([head.status, head.headers['content-length']]).toEqual([200, String(drawing.length)]);
  });

  it('that is no image is saved and not shown', async () => {
    const file = await replica.send(`/sites/seals/media/as_live/${paperHash}.pdf`);
    expect(file.headers['content-disposition']).toBe('attachment; filename="paper.pdf"');
    expect(file.text).toBe(paper);
  });

  it.each([
    `/sites/seals/media/as_draft/${hash}.svg`,
    `/sites/other/media/as_live/${hash}.svg`,
    `/sites/seals/media/as_live/${'0'.repeat(64)}.png`,
  ])('is nowhere, and not remembered as such, at %s', async (elsewhere) => {
    const file = await replica.send(elsewhere);
    expect(file.status).toBe(404);
    expect(file.headers['cache-control'] ?? '').not.toContain('immutable');
  });

  it('in a preview is for whoever has the link, and kept nowhere', async () => {
    const file = await replica.send(`/preview/good/media/as_x/${hash}.svg`);
    expect([file.status, file.headers['cache-control']]).toEqual([200, 'private, no-store']);
    expect((await replica.send(`/preview/bad/media/as_x/${hash}.svg`)).status).toBe(404);
    expect((await replica.send('/preview/good/media/as_x/..%2f..%2fsecret.svg')).status).toBe(404);
  });
});

describe('an address that a file is sent to', () => {
  let count = 0;
  /** As start_asset_upload opens it. */
  async function open(content: Buffer, more: { expires?: string; sha256?: string } = {}) {
    const [token, id] = [randomBytes(32).toString('base64url'), `up_${++count}`];
    await world.owner.query(
      `INSERT INTO media.upload (id, token_hash, site_id, principal, mime, bytes, sha256, expires_at)
       VALUES ($1, $2, 'st_1', 'agent:ada', 'image/png', $3, $4, clock_timestamp() + $5::interval)`,
      [
        id,
        createHash('sha256').update(token).digest(),
        content.length,
        more.sha256 ?? sha256Of(content),
        more.expires ?? '1 hour',
      ],
    );
    const put = (body: Buffer, headers = {}) => replica.send(`/uploads/${token}`, { method: 'PUT', body, headers });
    return { token, id, put };
  }
  const stored = async (id: string) => (await createPostgresBlobs(world.owner).read(uploadKey(id))) !== undefined;

  it('takes it once, whole, and says what to do next', async () => {
    const content = randomBytes(1_000_000);
    const { id, put, token } = await open(content);
    const first = await put(content);
    expect([first.status, first.json]).toMatchObject([
      201,
      { uploadId: id, bytes: 1_000_000, sha256: sha256Of(content), next: expect.stringContaining('upload_asset') },
    ]);
    const blob = await createPostgresBlobs(world.owner).read(uploadKey(id));
    expect((await readWhole(blob!, 2_000_000)).equals(content)).toBe(true);
    expect(codeOf(await put(content))).toBe('link_invalid');
    const [row] = await world.owner.query('SELECT stored_at, used_at FROM media.upload WHERE id = $1', [id]);
    expect([row!.stored_at instanceof Date, row!.used_at]).toEqual([true, null]);
    expect(world.logged()).not.toContain(token);
  });

  it('takes nothing else: what is too long or too short does not even spend it', async () => {
    const content = randomBytes(300_000);
    const { id, put } = await open(content);
    expect(codeOf(await put(randomBytes(300_001)))).toBe('payload_too_large');
    expect(codeOf(await put(content.subarray(1)))).toBe('validation_failed');
    expect((await put(content)).status).toBe(201);
    const other = await open(content);
    expect(codeOf(await other.put(randomBytes(300_000)))).toBe('validation_failed');
    expect([await stored(id), await stored(other.id)]).toEqual([true, false]);
    expect(codeOf(await other.put(content))).toBe('link_invalid');
  });

  it('is nowhere once its time is over, for another method, and from the page of another site', async () => {
    const content = randomBytes(100);
    expect(codeOf(await (await open(content, { expires: '-1 second' })).put(content))).toBe('link_invalid');
    const { put, token } = await open(content);
    const post = await replica.send(`/uploads/${token}`, { method: 'POST', body: content });
    expect(post.status).toBe(404);
    expect(codeOf(await put(content, { origin: 'https://evil.example' }))).toBe('origin_refused');
    expect((await put(content)).status).toBe(201);
  });
});
