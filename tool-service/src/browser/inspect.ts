import type { Log } from '@cloudhal/shared/log';
import { axeFindings } from './axe-findings.ts';
import { type BrowserSettings, type Browsers, createBrowsers } from './browsers.ts';
import { documentFindings } from './document-findings.ts';
import { type Check, type Finding, type Found, mergeFindings } from './findings.ts';
import { type DocumentFacts, readDocument } from './in-page/document.ts';
import { layoutFindings } from './layout-findings.ts';
import { type Document, type Viewport, withPage } from './open-page.ts';
import { takeScreenshot } from './screenshot.ts';

export type Inspection = Document & { viewports: readonly Viewport[]; checks: readonly Check[]; screenshot: boolean };
export type Inspected = {
  findings: Finding[];
  links: Pick<DocumentFacts['links'][number], 'href' | 'selector'>[];
  /** WebP, of the first width. */
  screenshot?: Buffer;
};

const mostLinks = 500;

/** Looks at pages in a browser. */
export function createInspector(settings: BrowserSettings, log: Log) {
  const browsers = createBrowsers(settings, log);
  return { inspect: (page: Inspection) => inspect(browsers, page), close: browsers.close };
}

/** Shows the document at each width and gathers what is wrong with it. Errors: those of `Browsers.use`. */
async function inspect(
  browsers: Browsers,
  { viewports, checks, screenshot, ...document }: Inspection,
): Promise<Inspected> {
  return browsers.use(async (browser) => {
    const found = new Map<Viewport, Found[]>();
    let links: Inspected['links'] = [];
    let image: Buffer | undefined;
    for (const [index, viewport] of viewports.entries()) {
      await withPage(browser, document, viewport, async (page) => {
        // Before axe, which leaves its own names in the page.
        const layout = checks.includes('layout') ? await layoutFindings(page) : [];
        const facts = await page.evaluate(readDocument, mostLinks);
        links = facts.links;
        found.set(viewport, [...(await axeFindings(page, checks)), ...layout, ...documentFindings(facts, checks)]);
        if (screenshot && index === 0) image = await takeScreenshot(page);
      });
    }
    return { findings: mergeFindings(found), links, ...(image && { screenshot: image }) };
  });
}
