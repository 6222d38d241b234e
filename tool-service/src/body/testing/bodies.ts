import fc from 'fast-check';

/** Bodies as they come from editors, imports and agents; each shows one thing that a careless splitter gets wrong. */
export const bodies: Record<string, string> = {
  empty: '',
  'only blank lines': '\n  \n\t\n',
  'no final newline': '# Title\n\nText',
  'trailing spaces': 'One  \ntwo   \n\n  three \n\n',
  crlf: '# Title\r\n\r\nText\r\nmore\r\n\r\n- a\r\n- b\r\n',
  'lone carriage returns': 'a\r\rb\rc',
  'mixed line ends': 'a\r\n\r\nb\n\nc\r',
  tabs: '\tcode\n\ttoo\n\ntext\twith\ttabs\n\n-\ta\n\n\tb\n',
  'html blocks': '<div class="x">\n\ntext\n\n</div>\n\n<!-- a\n\ncomment -->\n<p>raw\n',
  table: 'Before\n\n| a | b |\n|---|:-:|\n| 1 | 2 |\n\nAfter\n',
  'fence with blank lines': '```js\na\n\n\nb\n```\ntext\n~~~\n\n~~~\n',
  'open fence': 'text\n\n```\nnever closed\n\n\n',
  'setext headings': 'Title\n=====\n\nSub\n---\ntext\n',
  definitions: '[a]: /x "t"\n[b]: <y>\ntext [a] and [b]\n\n[c]: /z\n\n\n[d]: /w\n',
  'front matter': '---\ntitle: x\ntags: [a, b]\n---\n\n# Title\n',
  'loose and tight lists': '- a\n- b\n\n\n- c\n\n  more\n\n1. x\n2. y\n\ntext\n',
  quote: '> a\nlazy\n>\n> b\n\n> c\n',
  rules: 'a\n\n---\n\n***\n\nb\n\n---\n',
  'indented code after a list': '- a\n\n    in the list\n\n<!-- -->\n\n    code\n',
  'invisible characters': '\u00a0\n\na\u2028b\n\n\u200b\n\f\n\v\n',
  zero: 'a\0b\n\n\0\n',
  'many headings': '# A\ntext\n## B\n### C\n\n\ntext\n# D',
};

const line = fc.oneof(
  fc.constantFrom(
    '',
    '',
    ' ',
    '\t',
    '---',
    '===',
    '```',
    '~~~',
    '<!--',
    '-->',
    '<div>',
    '|a|b|',
    '|-|-|',
    '[a]: /x',
    '    code',
  ),
  fc.constantFrom('# h', '## h ##', '- a', '* b', '  - c', '1. d', '> q', '>> r', '\tt', 'x  ', '<b>i</b>', '![a](b)'),
  fc.string({ maxLength: 12 }),
  fc.string({ maxLength: 12, unit: 'grapheme' }),
);

/** Bodies that nobody would write. */
export const anyBody = fc
  .array(fc.tuple(line, fc.constantFrom('\n', '\n', '\n', '\r\n', '\r')), { maxLength: 24 })
  .map((lines) => lines.map(([text, end]) => text + end).join(''));
