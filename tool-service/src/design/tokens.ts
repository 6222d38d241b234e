import { fail } from '@cloudhal/shared/errors';
import type { DesignBody } from '@cloudhal/shared/site/design';
import { formatHex, parse } from 'culori';
import { type FontName, fonts } from './fonts.ts';
import { type ColorName, type Colors, colorNames, defaultPreset, presets, type Scheme } from './presets.ts';

export type Token = string | number;

/** Every token with its value; what the style sheet is made of. */
export type Design = {
  scheme: 'auto' | Scheme;
  light: Colors;
  dark: Colors;
  fonts: { text: FontName; heading: FontName; code: FontName };
  /** Factors on the theme's own sizes; `leading` is a line height, `measure` the width of a column in characters. */
  size: number;
  scale: number;
  leading: number;
  measure: number;
  unit: number;
  radius: number;
};

/** How a token's value is read; `undefined` for one that it may not have. */
type Rule = { expected: string; read(value: Token): Token | undefined };

const color: Rule = { expected: 'an opaque colour, such as #0b5c74 or oklch(45% 0.09 220)', read: readColor };

function oneOf(names: readonly string[]): Rule {
  return {
    expected: `one of ${names.join(', ')}`,
    read: (value) => (names.includes(String(value)) ? value : undefined),
  };
}

function between(least: number, most: number): Rule {
  const fits = (value: Token) => typeof value === 'number' && value >= least && value <= most;
  return { expected: `a number from ${least} to ${most}`, read: (value) => (fits(value) ? value : undefined) };
}

const font = oneOf(Object.keys(fonts));

/** What may be set. Everything else is refused, so nothing but these values reaches a style sheet. */
export const tokenRules: ReadonlyMap<string, Rule> = new Map([
  ['scheme', oneOf(['auto', 'light', 'dark'])],
  ...(['light', 'dark'] as const).flatMap((scheme) =>
    colorNames.map((name): [string, Rule] => [`${scheme}.${name}`, color]),
  ),
  ['type.text', font],
  ['type.heading', font],
  ['type.code', font],
  ['type.size', between(0.85, 1.4)],
  ['type.scale', between(0.8, 1.4)],
  ['type.leading', between(1.4, 2)],
  ['space.measure', between(45, 85)],
  ['space.unit', between(0.6, 1.6)],
  ['space.radius', between(0, 3)],
]);

export const presetNames = Object.keys(presets);

/** The value of a token, colours as `#rrggbb`; else `validation_failed`. */
export function readToken(name: string, value: unknown): Token {
  const rule = tokenRules.get(name);
  if (!rule) {
    throw fail('validation_failed', { path: `set.${name}`, expected: `a token: ${[...tokenRules.keys()].join(', ')}` });
  }
  const read = typeof value === 'string' || typeof value === 'number' ? rule.read(value) : undefined;
  if (read === undefined) throw fail('validation_failed', { path: `set.${name}`, expected: rule.expected });
  return read;
}

function readColor(value: Token): string | undefined {
  if (typeof value !== 'string' || value.length > 64) return undefined;
  const parsed = parse(value.trim());
  return parsed && (parsed.alpha ?? 1) === 1 ? formatHex(parsed) : undefined;
}

/** A design with every token. What its body has and may not have (an older version wrote it) counts as not set. */
export function designOf({ preset, tokens }: DesignBody = { preset: defaultPreset, tokens: {} }): Design {
  const base = presets[Object.hasOwn(presets, preset) ? preset : defaultPreset]!;
  const own = (name: string): Token | undefined => {
    const value = Object.hasOwn(tokens, name) ? tokens[name] : undefined;
    return value === undefined ? undefined : tokenRules.get(name)?.read(value);
  };
  const colorsOf = (scheme: Scheme) =>
    Object.fromEntries(
      colorNames.map((name: ColorName) => [name, own(`${scheme}.${name}`) ?? base[scheme][name]]),
    ) as Colors;
  const number = (name: string, usual: number) => (own(name) as number | undefined) ?? usual;
  const family = (name: string, usual: FontName) => (own(name) as FontName | undefined) ?? usual;
  return {
    scheme: (own('scheme') as Design['scheme'] | undefined) ?? 'auto',
    light: colorsOf('light'),
    dark: colorsOf('dark'),
    fonts: {
      text: family('type.text', 'old-style'),
      heading: family('type.heading', 'humanist'),
      code: family('type.code', 'mono'),
    },
    size: number('type.size', 1),
    scale: number('type.scale', 1),
    leading: number('type.leading', 1.65),
    measure: number('space.measure', 65),
    unit: number('space.unit', 1),
    radius: number('space.radius', 1),
  };
}

/** The tokens of a design by their names. */
export function tokensOf(design: Design): Record<string, Token> {
  const { scheme, light, dark, fonts: families } = design;
  const named = (prefix: string, values: object) =>
    Object.entries(values).map(([name, value]): [string, Token] => [`${prefix}.${name}`, value]);
  const { size, scale, leading, measure, unit, radius } = design;
  return Object.fromEntries([
    ['scheme', scheme],
    ...named('light', light),
    ...named('dark', dark),
    ...named('type', { ...families, size, scale, leading }),
    ...named('space', { measure, unit, radius }),
  ]);
}
