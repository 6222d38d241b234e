import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { colorNames, presets } from '../design/presets.ts';
import { designOf, presetNames } from '../design/tokens.ts';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { styleSheet } from './theme-css.ts';

/** WCAG 2.2, relative luminance; by hand, to hold the library that set_design relies on against it. */
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

const texts = [
  ['ink', 'paper'],
  ['ink', 'raised'],
  ['soft', 'paper'],
  ['soft', 'raised'],
  ['accent', 'paper'],
  ['accent', 'raised'],
  ['on-accent', 'accent'],
  ['on-notice', 'notice'],
] as const;

describe.each(presetNames)('the preset %s', (name) => {
  describe.each(['light', 'dark'] as const)('in %s', (scheme) => {
    const colors = presets[name]![scheme];

    test.each(texts)('%s on %s can be read (AA for text)', (text, ground) => {
      expect(contrast(colors[text], colors[ground])).toBeGreaterThanOrEqual(4.5);
    });

    test('shows the focus ring and the edges of controls (AA for graphics)', () => {
      expect(contrast(colors.accent, colors.paper)).toBeGreaterThanOrEqual(3);
      expect(contrast(colors.edge, colors.paper)).toBeGreaterThanOrEqual(3);
    });
  });
});

describe('the style sheet', () => {
  const css = styleSheet();

  test('uses only the tokens of the design', () => {
    const { light, dark } = presets.paper!;
    const known = [...Object.values(light), ...Object.values(dark)] as string[];
    const rules = css.replace(/@media print\{.*$/, '');
    for (const [color] of rules.matchAll(/#[0-9a-f]{3,8}\b/gi)) expect(known).toContain(color);
    const sizes = ['text', 'ui', 'mono', 'size', 'scale', 'leading', 'measure', 'unit', 'radius', 'gap'];
    for (const [, name] of rules.matchAll(/var\(--([a-z-]+)\)/g)) expect([...colorNames, ...sizes]).toContain(name);
  });

  test('asks for nothing from anywhere', () => {
    expect(css).not.toMatch(/url\(|@import|@font-face|https?:|\/\//);
  });

  test('stays small', () => {
    expect(css.length).toBeLessThan(16_000);
  });

  test('cannot end the element that it stands in', () => {
    expect(css).not.toContain('<');
  });

  test('is the one style that the policy allows, in every design; scripts are not', () => {
    const design = designOf({ preset: 'plum', tokens: { scheme: 'dark', 'type.size': 1.2 } });
    for (const frame of [{}, { design }]) {
      const hash = createHash('sha256').update(styleSheet(frame.design)).digest('base64');
      const policy = contentSecurityPolicy(frame);
      expect(policy).toContain(`style-src 'sha256-${hash}'`);
      expect(policy).toContain("default-src 'none'");
      expect(policy).not.toMatch(/unsafe|script-src|https?:|\*/);
    }
    expect(styleSheet(design)).not.toBe(css);
  });

  test('takes nothing from a body that no tool would have written', () => {
    const tokens = {
      'light.ink': 'red;}</style><script>',
      'type.text': 'evil',
      'type.size': 1e9,
      'light.url(x)': '#000',
    };
    expect(styleSheet(designOf({ preset: '__proto__', tokens }))).toBe(css);
  });
});
