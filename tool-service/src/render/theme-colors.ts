/** The colours of the theme. A test computes the contrast of every pair that the style sheet puts together. */
export const themeColors = {
  light: {
    paper: '#fdfcf9',
    raised: '#f5f2eb',
    ink: '#211e1a',
    soft: '#5f594f',
    line: '#e0dacd',
    edge: '#8a8375',
    accent: '#0b5c74',
    'on-accent': '#ffffff',
    notice: '#fff3d1',
    'on-notice': '#4a3800',
  },
  dark: {
    paper: '#16171a',
    raised: '#202226',
    ink: '#e9e6df',
    soft: '#aeaaa1',
    line: '#34363c',
    edge: '#7b7e87',
    accent: '#86cce0',
    'on-accent': '#0c2129',
    notice: '#3a2f10',
    'on-notice': '#ffe9ae',
  },
} as const;

export type ColorName = keyof typeof themeColors.light;

/** Which text colour stands on which ground. */
export const colorPairs: readonly [text: ColorName, ground: ColorName][] = [
  ['ink', 'paper'],
  ['ink', 'raised'],
  ['soft', 'paper'],
  ['soft', 'raised'],
  ['accent', 'paper'],
  ['accent', 'raised'],
  ['on-accent', 'accent'],
  ['on-notice', 'notice'],
];
