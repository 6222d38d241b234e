import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Chromium, launchChromium } from '../browser/chromium.ts';
import { testBrowserSettings } from '../browser/testing/test-browser.ts';
import { renderEntry, renderPage } from './index.ts';
import { hostile } from './testing/hostile.ts';
import { article, basePath, entry, page as pageOf, site } from './testing/pages.ts';

const address = 'https://site.invalid/page';
let chromium: Chromium;
let page: Page;
let html = '';
/** What a page did that no page may: it ran something, or asked for something elsewhere. */
let deeds: string[] = [];

beforeAll(async () => {
  const { executable, sandbox } = testBrowserSettings();
  chromium = await launchChromium(executable!, sandbox);
  page = await chromium.browser.newPage();
  page.on('dialog', (dialog) => {
    deeds.push(`a script ran: ${dialog.message()}`);
    void dialog.dismiss();
  });
  await page.route('**/*', (route) => {
    const { url, own } = {
      url: route.request().url(),
      own: new URL(route.request().url()).origin === new URL(address).origin,
    };
    // Without the policy that goes with a page: the page itself is to be harmless.
    if (url === address) return route.fulfill({ body: html, contentType: 'text/html; charset=utf-8' });
    if (!own) deeds.push(`it asked for ${url}`);
    return route.abort();
  });
});
afterAll(() => chromium.kill());

const pages = hostile.map((text) => {
  const bad = { ...site, title: text, tagline: text, social: [{ label: text, url: text }] };
  const link = { label: text, href: text };
  const sections = [
    { type: 'hero', props: { heading: text, text, links: [link] } },
    { type: 'text', props: { markdown: text } },
    { type: 'cards', props: { items: [{ title: text, text, href: text }] } },
    { type: 'quote', props: { text, source: text } },
    { type: 'call_to_action', props: { text, link } },
  ];
  const fields = { title: text, summary: text, seoDescription: text };
  return [
    renderEntry({ site: bad, entry: { ...entry, fields, body: text, blocks: [] }, contentType: article, basePath }),
    renderPage({ site: bad, page: pageOf(sections, { title: text }), basePath, entriesByType: {} }),
  ];
});

test('in a browser that runs scripts nothing of it runs, also where it is clicked, and nothing elsewhere is asked for', async () => {
  for (const [index, documents] of pages.entries()) {
    for (const one of documents) {
      html = one;
      deeds = [];
      await page.goto(address, { waitUntil: 'load' });
      const clicked = await page.evaluate(() => {
        const parts = [...window.document.querySelectorAll<HTMLElement>('main *')];
        for (const part of parts) {
          part.dispatchEvent(new MouseEvent('mouseover', { bubbles: true }));
          part.focus();
          // Links that lead somewhere may do so.
          const link = part.closest('a');
          if (!link || !/^(?:https?|mailto|tel):$/.test(link.protocol)) part.click();
        }
        return parts.length;
      });
      expect(clicked).toBeGreaterThan(0);
      expect(deeds, hostile[index]).toEqual([]);
    }
  }
});

test('the browser would have told: the same words without the theme do run', async () => {
  html = '<!doctype html><img src=x onerror=alert(1)>';
  deeds = [];
  await page.goto(address, { waitUntil: 'load' });
  await expect.poll(() => deeds).toContain('a script ran: 1');
});
