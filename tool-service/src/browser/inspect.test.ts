import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestInspector } from './testing/test-browser.ts';

let browser: ReturnType<typeof openTestInspector>;
beforeAll(() => {
  browser = openTestInspector();
});
afterAll(() => browser.close());

const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Harbour</title><meta name="description" content="News of the harbour.">`;
const page = (body: string, more = head) =>
  `<!doctype html><html lang="en"><head>${more}</head><body>${body}</body></html>`;
const paragraph =
  '<p>The ferry crosses again. The first boat leaves at six in the morning, the last at eleven at night.</p>';

const told = async (html: string) =>
  (await browser.inspect(html, { viewports: ['mobile'] })).findings.map(({ check, selector }) => [check, selector]);

describe('a page', () => {
  it('without faults has no findings', async () => {
    const { findings, links } = await browser.inspect(
      page(`<main><h1>Harbour</h1>${paragraph}<h2 id="boats">Boats</h2><p><a href="/timetable">The timetable</a> or
        <a href="#boats">the boats</a>.</p><img src="/boat.png" alt="A ferry" width="40" height="40">
        <div style="overflow-x:auto"><table><tr><td style="min-width:900px">wide</td></tr></table></div></main>`),
    );
    expect(findings).toEqual([]);
    expect(links.map(({ href }) => href)).toEqual(['/timetable', '#boats']);
  });

  it.each([
    ['pale text', `<main><h1>H</h1><p style="color:#bbb">Pale</p></main>`, [['contrast', 'p']]],
    ['an image without text', `<main><h1>H</h1><img src="/a.png" width="40" height="40"></main>`, [['alt', 'img']]],
    [
      'a file name for text',
      `<main><h1>H</h1><img src="/a.png" alt="IMG_1.jpg" width="40" height="40"></main>`,
      [['alt', 'body > main > img']],
    ],
    ['a heading that skips a level', `<main><h1>H</h1><h3>Deep</h3>${paragraph}</main>`, [['headings', 'h3']]],
    ['no main heading', `<main><h2>Two</h2>${paragraph}</main>`, [['headings', 'html']]],
    ['two main headings', `<main><h1>One</h1><h1>Two</h1></main>`, [['headings', 'h1']]],
    [
      'what is too wide for a phone',
      `<main><h1>H</h1><div id="w" style="width:700px">Wide</div></main>`,
      [['layout', '#w']],
    ],
    ['a word that does not wrap', `<main><h1>H</h1><p id="w">${'x'.repeat(400)}</p></main>`, [['layout', '#w']]],
    [
      'text that is cut off',
      `<main><h1>H</h1><div id="c" style="height:30px;overflow:hidden">${paragraph.repeat(3)}</div></main>`,
      [['layout', '#c']],
    ],
    [
      'text on text',
      `<main><h1>H</h1><p id="a">The first boat leaves</p><p id="b" style="margin-top:-2.1em">The last boat leaves</p></main>`,
      [['layout', '#b']],
    ],
    [
      'targets too small for a finger',
      `<main><h1>H</h1><button id="a" style="width:12px;height:12px;padding:0;border:0" aria-label="A"></button><button id="b" style="width:12px;height:12px;padding:0;border:0" aria-label="B"></button></main>`,
      [
        ['layout', '#a'],
        ['layout', '#b'],
      ],
    ],
    [
      'links that say nothing or lead nowhere',
      `<main><h1>H</h1><p><a href="/a">Click here</a> <a href="#none">The boats</a></p></main>`,
      [
        ['links', 'body > main > p > a:nth-of-type(2)'],
        ['links', 'body > main > p > a:nth-of-type(1)'],
      ],
    ],
  ])('with %s is told exactly that', async (_, body, expected) => {
    expect(await told(page(body))).toEqual(expected);
  });

  it('is told at which width a fault shows', async () => {
    const html = page(
      `<main><h1>H</h1><p style="color:#bbb">Pale</p><div id="w" style="width:700px;height:9px"></div></main>`,
    );
    const { findings } = await browser.inspect(html);
    expect(findings.map(({ check, viewport }) => [check, viewport])).toEqual([
      ['contrast', 'both'],
      ['layout', 'mobile'],
    ]);
  });

  it('is told what search engines miss', async () => {
    const { findings } = await browser.inspect(page('<main><h1>H</h1></main>', '<meta charset="utf-8">'), {
      checks: ['seo'],
    });
    expect(findings.map(({ message }) => message)).toEqual([
      'The page has no title.',
      'The page does not adapt to the width of a phone.',
      'Search engines are given no description.',
    ]);
  });

  it('shows the images that it is handed, in a WebP of its own size', async () => {
    const asked: string[] = [];
    const { screenshot } = await browser.inspect(page('<h1>H</h1><img src="/a.svg" alt="">'), {
      viewports: ['mobile'],
      screenshot: true,
      resource: async (path) => {
        asked.push(path);
        const bytes = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="30" height="3000"/>');
        return { bytes, contentType: 'image/svg+xml' };
      },
    });
    expect(asked).toEqual(['/a.svg']);
    expect(screenshot?.subarray(8, 12).toString()).toBe('WEBP');
    expect(screenshot!.length).toBeLessThan(225 * 1024);
  });
});

describe('a hostile page', () => {
  it('reaches nothing, runs nothing, and stays where it is', async () => {
    let hits = 0;
    const server = createServer((_, response) => {
      hits++;
      response.end('x');
    });
    server.on('connection', () => hits++);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const at = `http://127.0.0.1:${port}`;
    const html = page(
      `<main><h1 id="title">Still here</h1><img src="${at}/image" alt=""><iframe src="${at}/frame" title="x"></iframe>
       <object data="${at}/object"></object><video src="${at}/video"></video><form id="f" action="${at}/form"></form>
       <a id="d" href="${at}/file" download>The file</a><iframe src="file:///etc/passwd" title="y"></iframe>
       <iframe srcdoc="<script>parent.document.title='ran'</script>" title="z"></iframe><a href="/gone" ping="${at}/ping">Gone</a></main>
       <script>document.title = 'ran'; fetch('${at}/fetch'); new WebSocket('ws://127.0.0.1:${port}'); window.open('${at}/window');
         navigator.sendBeacon('${at}/beacon'); alert(1); document.getElementById('f').submit(); document.getElementById('d').click();
         new RTCPeerConnection({ iceServers: [{ urls: 'stun:127.0.0.1:${port}' }] }).createDataChannel('x'); for (;;) {}</script>`,
      `${head}<meta http-equiv="refresh" content="0;url=${at}/refresh"><link rel="stylesheet" href="${at}/style"><link rel="prefetch" href="${at}/prefetch">
       <link rel="preconnect" href="${at}"><link rel="dns-prefetch" href="//evil.example"><style>@import '${at}/import';@font-face{font-family:x;src:url(${at}/font)}
       body{background:url(${at}/background);font-family:x}</style><base href="${at}/">`,
    );
    const { findings } = await browser.inspect(html, { viewports: ['mobile'], checks: ['headings', 'seo'] });
    expect(findings).toEqual([]);
    expect(hits).toBe(0);
    await new Promise((resolve) => server.close(resolve));
  });

  it('cannot lead the browser away by itself', async () => {
    for (const target of [
      'data:text/html,<title>x</title>',
      'file:///etc/passwd',
      'https://example.org/',
      '/elsewhere',
    ]) {
      const html = page('<main><h1>H</h1></main>', `${head}<meta http-equiv="refresh" content="0;url=${target}">`);
      expect((await browser.inspect(html, { viewports: ['desktop'], checks: ['headings', 'seo'] })).findings).toEqual(
        [],
      );
    }
  });
});
