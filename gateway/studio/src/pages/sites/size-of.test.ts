import { expect, it } from 'vitest';
import { sizeOf } from './size-of.ts';

it.each([
  [1, '1 byte'],
  [392, '392 bytes'],
  [12_345, '12 kB'],
  [1_400_000, '1.4 MB'],
])('the size of a file of %i bytes reads %s', (bytes, words) => {
  expect(sizeOf(bytes)).toBe(words);
});
