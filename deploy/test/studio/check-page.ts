import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { houseFile } from '@cloudhal/shared/house-file';
import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Person } from '../people.ts';
import { type Stage, sizes, themes, type Width } from './stage.ts';

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js');
/** Where the pictures of a run are; not kept in the repository. */
const pictures = join(houseFile('deploy'), 'test/studio/screenshots');

type Check = {
  as?: Person;
  /** Names the picture, such as `approvals-empty`. */
  name: string;
  /** What is there once the page shows what it is about. */
  ready: (page: Page) => Locator;
  /** Brings the page into the state that is looked at. */
  before?: (page: Page) => Promise<void>;
};

/**
 * Holds a page, in both themes and widths, against what every page owes: accessible by axe's rules for WCAG 2.2 AA, no
 * wider than its window, nothing refused by the content policy, no fault in its script. Takes a picture of each.
 */
export async function checkPage(stage: Stage, path: string, { as, name, ready, before }: Check): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  for (const width of Object.keys(sizes) as Width[]) {
    const { page, faults, close } = await stage.open(path, { ...(as && { as }), width });
    try {
      await ready(page).first().waitFor();
      await before?.(page);
      await dialogsShow(page);
      for (const colorScheme of themes) {
        await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
        const at = `${name} ${width} ${colorScheme}`;
        expect(await violations(page), at).toEqual([]);
        expect(await sidewaysOverflow(page), `${at}: wider than the window`).toBeLessThanOrEqual(0);
        await page.screenshot({ path: join(pictures, `${name}-${width}-${colorScheme}.png`), fullPage: true });
      }
      expect(faults, `${name} ${width}`).toEqual([]);
    } finally {
      await close();
    }
  }
}

/** A picture of what a story shows at one moment, to be looked at beside those of the pages. */
export async function picture(page: Page, name: string): Promise<void> {
  mkdirSync(pictures, { recursive: true });
  await page.screenshot({ path: join(pictures, `${name}.png`) });
}

/** On a phone a dialog is there, and not seen, until the keyboard had its time to open. */
async function dialogsShow(page: Page): Promise<void> {
  const dialogs = page.locator('[role=dialog], [role=alertdialog]');
  const areSeen = () =>
    dialogs.evaluateAll((all) => all.every((dialog) => dialog.checkVisibility({ opacityProperty: true })));
  await expect.poll(areSeen).toBe(true);
}

/** What axe finds, as one line each. */
async function violations(page: Page): Promise<string[]> {
  const { readFileSync } = await import('node:fs');
  await page.evaluate(readFileSync(axe, 'utf8'));
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<{ violations: Violation[] }> } };
    type Violation = { id: string; help: string; nodes: { target: string[]; failureSummary: string }[] };
    const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
    return (await axe.run({ runOnly: tags })).violations;
  });
  return found.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(' ')} ${failureSummary.replaceAll('\n', ' ')}`),
  );
}

/** How far the page, or a dialog over it, is wider than there is room. */
function sidewaysOverflow(page: Page): Promise<number> {
  return page.locator('html, [role=dialog], [role=alertdialog]').evaluateAll((boxes) =>
    Math.max(
      ...boxes.map((box) => {
        const { scrollWidth, clientWidth } = box as unknown as { scrollWidth: number; clientWidth: number };
        return scrollWidth - clientWidth;
      }),
    ),
  );
}
