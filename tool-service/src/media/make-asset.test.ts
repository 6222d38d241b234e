import { gzipSync } from 'node:zlib';
import { CloudhalError } from '@cloudhal/shared/errors';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { makeAsset, makePreview } from './make-asset.ts';
import { hugePng, photograph, plainPng } from './testing/pictures.ts';

async function refused(bytes: Buffer | string): Promise<string> {
  const error: unknown = await makeAsset(Buffer.from(bytes as string)).then(
    ({ facts }) => facts.type,
    (thrown) => thrown,
  );
  if (!(error instanceof CloudhalError)) throw new Error(`not refused: ${error}`);
  return error.code;
}

const svg = (inner: string, attributes = 'viewBox="0 0 10 10"') =>
  Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${inner}</svg>`);
const drawn = async (bytes: Buffer) => (await makeAsset(bytes)).files[0]!.bytes.toString();

describe('an image', () => {
  it('is written anew without where and with what it was taken, and in smaller sizes', async () => {
    const taken = await photograph(1400, 1000);
    expect(taken.includes('CameraMaker')).toBe(true);
    const { facts, files } = await makeAsset(taken);
    expect(facts).toMatchObject({ type: 'image/jpeg', width: 1400, height: 1000 });
    expect(facts.renditions.map(({ width, height }) => [width, height])).toEqual([
      [320, 229],
      [640, 457],
      [960, 686],
      [1280, 914],
    ]);
    expect(files).toHaveLength(5);
    for (const { bytes } of files) {
      const { exif, xmp } = await sharp(bytes).metadata();
      expect([exif, xmp, bytes.includes('CameraMaker'), bytes.includes('Ignore all')]).toEqual([
        undefined,
        undefined,
        false,
        false,
      ]);
    }
    expect((await makeAsset(taken)).facts).toEqual(facts);
  });

  it('stands upright whichever way the camera was held', async () => {
    const onItsSide = await sharp(await plainPng(60, 20))
      .jpeg()
      .withMetadata({ orientation: 6 })
      .toBuffer();
    expect((await makeAsset(onItsSide)).facts).toMatchObject({ width: 20, height: 60 });
  });

  it('keeps its colours as a PNG and its frames as a GIF; AVIF becomes WebP', async () => {
    const png = await sharp({ create: { width: 9, height: 9, channels: 4, background: '#12345678' } })
      .png()
      .toBuffer();
    const [file] = (await makeAsset(png)).files;
    expect(await sharp(file!.bytes).raw().toBuffer()).toEqual(await sharp(png).raw().toBuffer());
    const frames = await Promise.all([1, 200].map((shade) => plainPng(16, 16, shade)));
    const gif = await sharp(frames, { join: { animated: true } })
      .gif()
      .toBuffer();
    const animated = await makeAsset(gif);
    expect(animated.facts).toMatchObject({ type: 'image/gif', width: 16, height: 16, renditions: [] });
    expect((await sharp(animated.files[0]!.bytes, { animated: true }).metadata()).pages).toBe(2);
    const avif = await sharp(png).avif().toBuffer();
    expect((await makeAsset(avif)).facts.type).toBe('image/webp');
  });

  it('is refused by its header before it would fill the memory', async () => {
    const bomb = await hugePng();
    expect(bomb.length).toBeLessThan(1000);
    expect(await refused(bomb)).toBe('limit_exceeded');
    const wide = await sharp({ create: { width: 9000, height: 6000, channels: 3, background: '#000' } })
      .png()
      .toBuffer();
    expect(await refused(wide)).toBe('limit_exceeded');
  });

  it('is refused where it is cut off, or is none', async () => {
    const taken = await photograph();
    expect(await refused(taken.subarray(0, taken.length / 2))).toBe('validation_failed');
    const broken = Buffer.concat([(await plainPng()).subarray(0, 40), Buffer.alloc(200, 7)]);
    expect(await refused(broken)).toBe('validation_failed');
  });

  it.each([
    ['a page', '<!doctype html><html><script>alert(1)</script></html>'],
    ['a drawing that never begins', '<!---->'.repeat(9_000)],
    ['a document type that never ends', `<!DOCTYPE svg [${'<!---->'.repeat(9_000)}`],
    ['a page that mentions a drawing', '<html><body><svg></svg><script>alert(1)</script></body></html>'],
    ['a script', '#!/bin/sh\necho hello'],
    ['text', 'just text'],
    ['nothing', ''],
    ['an archive', gzipSync('x'.repeat(100))],
    ['a program', Buffer.concat([Buffer.from('\x7fELF\x02\x01\x01'), Buffer.alloc(100)])],
  ])('is refused where it is %s', async (_, bytes) => {
    expect(await refused(bytes as string)).toBe('unsupported_media');
  });
});

describe('a drawing', () => {
  it('keeps what draws', async () => {
    const text = await drawn(
      svg(
        '<defs><linearGradient id="g"><stop offset="0" stop-color="red"/></linearGradient></defs>' +
          '<g transform="scale(2)"><path d="M0 0L5 5" fill="url(#g)"/>' +
          '<path d="M0 0L9 9" transform="rotate(9)translate(1, 2)" fill="url(#g) rgb(0,0,0)"/></g><title>A &amp; B</title>',
      ),
    );
    expect(text).toContain('<path d="M0 0L5 5" fill="url(#g)"></path>');
    expect(text).toContain('transform="rotate(9)translate(1, 2)" fill="url(#g) rgb(0,0,0)"');
    expect(text).toContain('<linearGradient id="g"><stop offset="0" stop-color="red"></stop></linearGradient>');
    expect(text).toContain('A &amp; B');
    expect(text).toContain('viewBox="0 0 10 10"');
  });

  it.each([
    '<script>alert(1)</script>',
    '<script href="https://evil.example/x.js"/>',
    '<g onload="alert(1)"/>',
    '<foreignObject><iframe src="javascript:alert(1)"/></foreignObject>',
    '<a href="javascript:alert(1)"><text>x</text></a>',
    '<a xlink:href="java&#x09;script:alert(1)"><text>x</text></a>',
    '<image href="https://evil.example/pixel.png"/>',
    '<use href="https://evil.example/x.svg#a"/>',
    '<use xlink:href="data:image/svg+xml;base64,PHN2Zz48L3N2Zz4=#x"/>',
    '<style>@import url(https://evil.example/x.css);</style>',
    '<rect style="fill:url(https://evil.example/x)" width="1" height="1"/>',
    '<rect fill="url(https://evil.example/x#a)" width="1" height="1"/>',
    '<rect fill="URL( //evil.example/x )" width="1" height="1"/>',
    '<rect fill="\\75rl(https://evil.example/x#a)" width="1" height="1"/>',
    '<rect fill="url(#g) u\\72 l(https://evil.example/x#a)" width="1" height="1"/>',
    '<rect mask="image-set(&quot;https://evil.example/x.png&quot; 1x)" width="1" height="1"/>',
    '<rect fill="uurl(#g)rl(//evil.example/x)" width="1" height="1"/>',
    '<set attributeName="href" to="javascript:alert(1)"/>',
    '<animate attributeName="href" values="javascript:alert(1)"/>',
    '<handler xmlns="http://www.w3.org/2001/xml-events">alert(1)</handler>',
    '<![CDATA[<script>alert(1)</script>]]>',
    '<math><mtext><script>alert(1)</script></mtext></math>',
  ])('loses %s', async (inner) => {
    const text = await drawn(svg(`${inner}<rect width="1" height="1"/>`));
    expect(text).toContain('<rect');
    expect(text).not.toMatch(
      /<script|<iframe|javascript:|evil\.example|onload|<style|style=|<image|<set|<animate|data:/i,
    );
  });

  it('has no entities to grow with, and no document type', async () => {
    const bomb =
      '<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY x SYSTEM "file:///etc/passwd">]>';
    const text = await drawn(Buffer.concat([Buffer.from(`<?xml version="1.0"?>${bomb}`), svg('<text>&b;&x;</text>')]));
    expect(text).toMatch(/^<svg/);
    expect(text).not.toMatch(/ENTITY|DOCTYPE|aaaa|root:/);
  });

  it('is refused where it is larger than a drawing is, or what it says is enormous', async () => {
    expect(await refused(svg(`<text>${'x'.repeat(1_100_000)}</text>`))).toBe('limit_exceeded');
    expect(await refused(svg('<rect width="1" height="1"/>', 'width="90000" height="90000"'))).toBe('limit_exceeded');
  });
});

it('a small picture of an image or a drawing can be looked at', async () => {
  const taken = await makePreview(await photograph(), 'image/jpeg');
  expect(await sharp(taken.bytes).metadata()).toMatchObject({ format: 'webp', width: 512, height: 384 });
  const drawing = await makePreview(svg('<rect width="5" height="5"/>'), 'image/svg+xml');
  expect(await sharp(drawing.bytes).metadata()).toMatchObject({ format: 'png', width: 512 });
});
