import type { Page } from 'playwright-core';
import type { Check, Found, Severity } from './findings.ts';

/** The rules of axe-core that each check is made of. */
const rules: Partial<Record<Check, string[]>> = {
  contrast: ['color-contrast'],
  alt: ['image-alt', 'image-redundant-alt', 'input-image-alt', 'area-alt', 'object-alt', 'svg-img-alt', 'role-img-alt'],
  headings: ['heading-order', 'empty-heading', 'page-has-heading-one'],
  links: ['link-name'],
  layout: ['target-size'],
};

type Raw = { rule: string; impact: Severity | null; help: string; selector: string; summary: string };

const mostOfEach = 20;
let source: Promise<string> | undefined;

/** What axe-core finds on the page as it is shown. */
export async function axeFindings(page: Page, asked: readonly Check[]): Promise<Found[]> {
  const values = asked.flatMap((check) => rules[check] ?? []);
  if (values.length === 0) return [];
  source ??= import('axe-core').then(({ default: axe }) => axe.source);
  await page.evaluate(await source);
  const raw = await page.evaluate(runAxe, { values, most: mostOfEach });
  return raw.map(({ rule, impact, help, selector, summary }) => ({
    check: asked.find((check) => rules[check]?.includes(rule))!,
    severity: impact ?? 'moderate',
    message: `${help}.`,
    selector,
    fix: fixOf(summary),
  }));
}

/** Runs in the page. */
async function runAxe({ values, most }: { values: string[]; most: number }): Promise<Raw[]> {
  const { axe } = globalThis as unknown as { axe: typeof import('axe-core') };
  const { violations } = await axe.run({ runOnly: { type: 'rule', values }, resultTypes: ['violations'] });
  return violations.flatMap(({ id, impact, help, nodes }) =>
    nodes.slice(0, most).map(({ target, failureSummary = '' }) => ({
      rule: id,
      impact: (impact ?? null) as Severity | null,
      help,
      selector: target.flat().join(' '),
      summary: failureSummary,
    })),
  );
}

/** axe lists what would help, one a line; the first of them is the plainest. */
function fixOf(summary: string): string {
  const [, first = summary] = summary.split('\n');
  return `${first.trim().replace(/\.$/, '')}.`;
}
