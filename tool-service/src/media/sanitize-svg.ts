import sanitizeHtml, { type Attributes } from 'sanitize-html';

const shapes = ['path', 'rect', 'circle', 'ellipse', 'line', 'polyline', 'polygon', 'text', 'tspan', 'use'];
const structure = ['svg', 'g', 'defs', 'symbol', 'title', 'desc', 'clipPath', 'mask', 'marker', 'pattern'];
const paint = ['linearGradient', 'radialGradient', 'stop', 'filter'];
const effects = [
  ...['feGaussianBlur', 'feOffset', 'feBlend', 'feColorMatrix', 'feComposite', 'feFlood', 'feMerge', 'feMergeNode'],
  ...['feDropShadow', 'feMorphology', 'feComponentTransfer', 'feFuncR', 'feFuncG', 'feFuncB', 'feFuncA'],
];

const attributes = [
  ...['id', 'role', 'aria-label', 'xmlns', 'version', 'viewBox', 'preserveAspectRatio', 'width', 'height', 'x', 'y'],
  ...['x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'rx', 'ry', 'fx', 'fy', 'fr', 'dx', 'dy', 'd', 'points', 'pathLength'],
  ...['transform', 'gradientUnits', 'gradientTransform', 'spreadMethod', 'offset', 'patternUnits', 'patternTransform'],
  ...['patternContentUnits', 'clipPathUnits', 'maskUnits', 'maskContentUnits', 'filterUnits', 'primitiveUnits'],
  ...['markerWidth', 'markerHeight', 'markerUnits', 'refX', 'refY', 'orient', 'href', 'in', 'in2', 'result', 'mode'],
  ...[
    'stdDeviation',
    'values',
    'type',
    'operator',
    'k1',
    'k2',
    'k3',
    'k4',
    'radius',
    'slope',
    'intercept',
    'amplitude',
  ],
  ...['exponent', 'tableValues', 'fill', 'fill-opacity', 'fill-rule', 'stroke', 'stroke-width', 'stroke-opacity'],
  ...['stroke-linecap', 'stroke-linejoin', 'stroke-miterlimit', 'stroke-dasharray', 'stroke-dashoffset', 'opacity'],
  ...[
    'color',
    'stop-color',
    'stop-opacity',
    'flood-color',
    'flood-opacity',
    'clip-path',
    'clip-rule',
    'mask',
    'filter',
  ],
  ...['marker-start', 'marker-mid', 'marker-end', 'display', 'visibility', 'vector-effect', 'paint-order'],
  ...['font-family', 'font-size', 'font-style', 'font-weight', 'letter-spacing', 'text-anchor', 'dominant-baseline'],
  ...['text-decoration', 'rotate', 'textLength', 'lengthAdjust', 'color-interpolation-filters', 'mix-blend-mode'],
];

// Declaration, comments and document type, with whatever entities that declares: none of it comes along. Each is read to its
// own end and in one way only, so that no text takes longer than its length.
const prologPart = /\s+|<\?[^>]*>|<!--[\s\S]*?-->|<!DOCTYPE[^>[]*(?:\[[^\]]*\]\s*)?>/iy;

/** Whether a text begins as a drawing does. */
export function isSvg(text: string): boolean {
  return drawingIn(text) !== undefined;
}

/** The text from its first element on, where that is a drawing. */
function drawingIn(text: string): string | undefined {
  prologPart.lastIndex = 0;
  let start = 0;
  while (prologPart.test(text)) start = prologPart.lastIndex;
  return /^<svg[\s>]/.test(text.slice(start, start + 5)) ? text.slice(start) : undefined;
}

/**
 * An SVG drawing of which only what draws is left: no script, style sheet, animation, foreign content, or reference to
 * anything outside of it. `undefined` where the text is no SVG.
 */
export function sanitizeSvg(text: string): string | undefined {
  const drawing = drawingIn(text);
  if (drawing === undefined) return undefined;
  const clean = sanitizeHtml(drawing, {
    allowedTags: [...structure, ...shapes, ...paint, ...effects],
    allowedAttributes: { '*': attributes },
    // Their content goes with them; of all other elements, what is within them is looked at by itself.
    nonTextTags: ['script', 'style', 'foreignObject', 'metadata', 'iframe', 'textarea', 'noscript', 'option', 'xmp'],
    disallowedTagsMode: 'discard',
    selfClosing: [],
    allowedSchemes: [],
    allowProtocolRelative: false,
    parseStyleAttributes: false,
    nestingLimit: 200,
    parser: { xmlMode: true, lowerCaseTags: false, lowerCaseAttributeNames: false },
    transformTags: { '*': (tagName, attribs) => ({ tagName, attribs: within(tagName, attribs) }) },
  }).trim();
  return /^<svg[\s>]/.test(clean) ? clean : undefined;
}

/** The attributes that stay within the drawing. */
function within(tagName: string, { 'xlink:href': linked, ...attribs }: Attributes): Attributes {
  const kept: Attributes = {};
  for (const [name, value] of Object.entries({ ...(linked !== undefined && { href: linked }), ...attribs })) {
    const fits = name === 'href' ? /^#[\w.-]+$/.test(value) : leadsNowhere(value);
    if (fits && name !== 'xmlns') kept[name] = value;
  }
  return tagName === 'svg' ? { xmlns: 'http://www.w3.org/2000/svg', ...kept } : kept;
}

const ownReference = /url\(\s*(["']?)#[\w.-]+\1\s*\)/gi;
const harmless = /^(?:matrix|translate|scale|rotate|skew[XY]|rgba?|hsla?|hwb|(?:ok)?lab|(?:ok)?lch|color)?\($/i;

/** No escape that could spell another name, and no function but transforms, colours and references within the drawing. */
function leadsNowhere(value: string): boolean {
  const words = value.replace(ownReference, ' ').split(/(?<=\()|[\s),]+/);
  return !value.includes('\\') && words.every((word) => !word.endsWith('(') || harmless.test(word));
}
