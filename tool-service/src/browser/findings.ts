import type { Viewport } from './open-page.ts';

export const checks = ['layout', 'contrast', 'alt', 'headings', 'seo', 'links'] as const;
export type Check = (typeof checks)[number];
export type Severity = 'minor' | 'moderate' | 'serious' | 'critical';

/** One fault of a page: what, where, and what to do about it. */
export type Finding = {
  check: Check;
  severity: Severity;
  message: string;
  /** A CSS selector; `html` for what concerns the whole page. */
  selector: string;
  viewport: Viewport | 'both';
  fix: string;
};

export type Found = Omit<Finding, 'viewport'>;

/** One list of what each width showed; what both show is one finding. */
export function mergeFindings(found: ReadonlyMap<Viewport, readonly Found[]>): Finding[] {
  const merged = new Map<string, Finding>();
  for (const [viewport, findings] of found) {
    for (const finding of findings) {
      const key = `${finding.check}\n${finding.selector}\n${finding.fix}`;
      const known = merged.get(key);
      if (!known) merged.set(key, { ...finding, viewport });
      else if (known.viewport !== viewport) known.viewport = 'both';
    }
  }
  return [...merged.values()].sort((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity));
}

const order: Severity[] = ['critical', 'serious', 'moderate', 'minor'];
