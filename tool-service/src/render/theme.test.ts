import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { colorPairs, themeColors } from './theme-colors.ts';
import { themeCss } from './theme-css.ts';

/** WCAG 2.2, relative luminance. */
function luminance(color: string): number {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const part = Number.parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!;
}

function contrast(a: string, b: string): number {
  const [dark, light] = [luminance(a), luminance(b)].sort((x, y) => x - y);
  return (light! + 0.05) / (dark! + 0.05);
}

describe.each(['light', 'dark'] as const)('the %s colours', (scheme) => {
  const colors = themeColors[scheme];

  test.each(colorPairs)('%s on %s can be read (AA for text)', (text, ground) => {
    expect(contrast(colors[text], colors[ground])).toBeGreaterThanOrEqual(4.5);
  });

  test('the focus ring and the edges of controls can be seen (AA for graphics)', () => {
    expect(contrast(colors.accent, colors.paper)).toBeGreaterThanOrEqual(3);
    expect(contrast(colors.edge, colors.paper)).toBeGreaterThanOrEqual(3);
  });
});

describe('the style sheet', () => {
  test('uses only colours of the table', () => {
    const known = [...Object.values(themeColors.light), ...Object.values(themeColors.dark)] as string[];
    const rules = themeCss.replace(/@media print\{.*$/, '');
    for (const [color] of rules.matchAll(/#[0-9a-f]{3,8}\b/gi)) expect(known).toContain(color);
    for (const [, name] of rules.matchAll(/var\(--([a-z-]+)\)/g)) {
      expect([...Object.keys(themeColors.light), 'serif', 'sans', 'mono', 'measure', 'gap']).toContain(name);
    }
  });

  test('asks for nothing from anywhere', () => {
    expect(themeCss).not.toMatch(/url\(|@import|@font-face|https?:|\/\//);
  });

  test('stays small', () => {
    expect(themeCss.length).toBeLessThan(12_000);
  });

  test('cannot end the element that it stands in', () => {
    expect(themeCss).not.toContain('<');
  });

  test('is the one style that the policy allows; scripts are not', () => {
    const hash = createHash('sha256').update(themeCss).digest('base64');
    expect(contentSecurityPolicy).toContain(`style-src 'sha256-${hash}'`);
    expect(contentSecurityPolicy).toContain("default-src 'none'");
    expect(contentSecurityPolicy).not.toMatch(/unsafe|script-src|https?:|\*/);
  });
});
