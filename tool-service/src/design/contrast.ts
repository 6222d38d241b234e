import { wcagContrast } from 'culori';
import type { ColorName, Scheme } from './presets.ts';
import type { Design } from './tokens.ts';

/** Text on its ground, and what must be seen beside text, by WCAG 2.2 AA. */
const pairs: readonly [color: ColorName, ground: ColorName, least: number][] = [
  ['ink', 'paper', 4.5],
  ['ink', 'raised', 4.5],
  ['soft', 'paper', 4.5],
  ['soft', 'raised', 4.5],
  ['accent', 'paper', 4.5],
  ['accent', 'raised', 4.5],
  ['on-accent', 'accent', 4.5],
  ['on-notice', 'notice', 4.5],
  ['edge', 'paper', 3],
];

export type Contrast = { scheme: Scheme; color: string; ground: string; ratio: number; least: number };

/** The contrast of every pair that the theme puts together, in the schemes that readers can get. Ratios are rounded down. */
export function contrastsOf(design: Design): Contrast[] {
  const schemes = design.scheme === 'auto' ? (['light', 'dark'] as const) : [design.scheme];
  return schemes.flatMap((scheme) =>
    pairs.map(([color, ground, least]) => {
      const ratio = wcagContrast(design[scheme][color], design[scheme][ground]);
      return {
        scheme,
        color: `${scheme}.${color}`,
        ground: `${scheme}.${ground}`,
        ratio: Math.floor(ratio * 100) / 100,
        least,
      };
    }),
  );
}

/** The pairs that cannot be read, as sentences. */
export function contrastFaults(design: Design): string[] {
  return contrastsOf(design)
    .filter(({ ratio, least }) => ratio < least)
    .map(
      ({ color, ground, ratio, least }) =>
        `${color} on ${ground} has a contrast of ${ratio}, at least ${least} is needed`,
    );
}
