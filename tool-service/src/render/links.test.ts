import { expect, test } from 'vitest';
import { resolveLink } from './links.ts';

const place = { basePath: '/sites/gazette', path: '/articles/one' };

test.each([
  ['/about', { kind: 'internal', href: '/sites/gazette/about' }],
  ['/', { kind: 'internal', href: '/sites/gazette/' }],
  ['two', { kind: 'internal', href: '/sites/gazette/articles/two' }],
  ['../about?x=1#y', { kind: 'internal', href: '/sites/gazette/about?x=1#y' }],
  ['/../../etc/passwd', { kind: 'internal', href: '/sites/gazette/etc/passwd' }],
  ['/.//evil.example/a', { kind: 'internal', href: '/sites/gazette/evil.example/a' }],
  ['#part', { kind: 'fragment', href: '#part' }],
  ['https://example.org/a b', { kind: 'external', href: 'https://example.org/a%20b' }],
  ['HTTP://EXAMPLE.org', { kind: 'external', href: 'http://example.org/' }],
  ['mailto:a@example.org', { kind: 'contact', href: 'mailto:a@example.org' }],
  ['tel:+4912345', { kind: 'contact', href: 'tel:+4912345' }],
])('%s leads where it says', (href, expected) => {
  expect(resolveLink(href, place)).toEqual(expected);
});

test.each([
  'javascript:alert(1)',
  ' \tjava\nscript:alert(1)',
  '\u0001javascript:alert(1)',
  'JAVASCRIPT:alert(1)',
  'data:text/html,x',
  'vbscript:x',
  'blob:https://example.org/x',
  'file:///etc/passwd',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  'https://user:pass@example.org',
  'https://here.invalid@evil.example',
  'https://',
])('%j is no link', (href) => {
  expect(resolveLink(href, place)).toBeUndefined();
});

test('a site that is served at the root cannot be left by its own paths', () => {
  expect(resolveLink('/.//evil.example/a', { basePath: '', path: '/' })).toEqual({
    kind: 'internal',
    href: '/evil.example/a',
  });
});
