/** Colours by what they are for. `ink` and `soft` are text, `edge` the border of a control. */
export const colorNames = [
  'paper',
  'raised',
  'ink',
  'soft',
  'line',
  'edge',
  'accent',
  'on-accent',
  'notice',
  'on-notice',
] as const;
export type ColorName = (typeof colorNames)[number];
export type Colors = Record<ColorName, string>;
export type Scheme = 'light' | 'dark';

function colors(text: string): Colors {
  const values = text.split(' ');
  return Object.fromEntries(colorNames.map((name, index) => [name, values[index]!])) as Colors;
}

/** Where a design starts. A test holds each against the contrast that it needs. */
export const presets: Record<string, Record<Scheme, Colors>> = {
  paper: {
    light: colors('#fdfcf9 #f5f2eb #211e1a #5f594f #e0dacd #8a8375 #0b5c74 #ffffff #fff3d1 #4a3800'),
    dark: colors('#16171a #202226 #e9e6df #aeaaa1 #34363c #7b7e87 #86cce0 #0c2129 #3a2f10 #ffe9ae'),
  },
  plain: {
    light: colors('#ffffff #f4f5f7 #16181d #565c68 #dfe2e8 #7d8492 #1553c7 #ffffff #fff4d6 #4a3800'),
    dark: colors('#121418 #1c1f26 #e8eaee #a6acb8 #30343d #79808d #8ab4ff #0a1a38 #3a2f10 #ffe9ae'),
  },
  forest: {
    light: colors('#fbfcf8 #f0f4ea #1b211a #525c4e #d9e0d0 #7c8674 #2c6a3a #ffffff #fdf3cf #463a00'),
    dark: colors('#141813 #1d231c #e6eae1 #a8b0a1 #303830 #77816f #93d3a2 #0d2414 #38300f #fbe8ad'),
  },
  plum: {
    light: colors('#fdfbfd #f6f0f6 #221a24 #62566a #e5dbe6 #8a7d8f #7a2a75 #ffffff #fff2d4 #4a3600'),
    dark: colors('#18141a #221c25 #ece5ee #b2a8b6 #393040 #83798a #e3a5dd #33102f #3c2e10 #ffe8b0'),
  },
};
export const defaultPreset = 'paper';
