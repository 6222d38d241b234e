import type { Page } from 'playwright-core';
import type { Found } from './findings.ts';
import { findLayoutFaults, type LayoutFault } from './in-page/layout.ts';

const most = 30;

const words: Record<LayoutFault['kind'], (fault: LayoutFault) => Omit<Found, 'check' | 'selector'>> = {
  overflow: ({ by }) => ({
    severity: 'serious',
    message: `It reaches ${by} px beyond the right edge, so the page scrolls sideways.`,
    fix: 'Shorten it, let it wrap, or put what is wide (a table, code) where it scrolls by itself.',
  }),
  clipped: ({ by }) => ({
    severity: 'serious',
    message: `Its text is cut off by ${by} px.`,
    fix: 'Shorten the text, or let the box grow with it.',
  }),
  overlap: ({ other }) => ({
    severity: 'serious',
    message: `Its text lies on that of ${other}.`,
    fix: 'Shorten the texts, or give them room.',
  }),
};

/** What does not fit at this width. */
export async function layoutFindings(page: Page): Promise<Found[]> {
  const faults = await page.evaluate(findLayoutFaults, most);
  return faults.map((fault) => ({ check: 'layout', selector: fault.selector, ...words[fault.kind](fault) }));
}
