import { expect, it } from 'vitest';
import { clientFacts } from './client-facts.ts';

it('a long name that a client gives itself is cut before a character that does not fit', () => {
  expect(clientFacts({ name: `${'x'.repeat(79)}😀` })).toEqual({ name: 'x'.repeat(79) });
  expect(clientFacts({ name: `${'x'.repeat(78)}😀` })).toEqual({ name: `${'x'.repeat(78)}😀` });
});
