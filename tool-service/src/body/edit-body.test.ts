import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { editBody } from './edit-body.ts';
import { occurrences } from './occurrences.ts';

function refusal(work: () => unknown) {
  try {
    work();
  } catch (error) {
    return (error as { body: { code: string; details: Record<string, unknown> } }).body;
  }
  throw new Error('it was not refused');
}

describe('exact-text edits', () => {
  test('replace a text that occurs once', () => {
    expect(editBody('The cat sat.', [{ find: 'cat', replace: 'dog' }])).toBe('The dog sat.');
  });

  test('are exact about what is replaced with: no patterns, no references', () => {
    expect(editBody('a.b', [{ find: '.', replace: "$& $1 $$ $' \\n" }])).toBe("a$& $1 $$ $' \\nb");
  });

  test('see the result of the edit before', () => {
    expect(
      editBody('a', [
        { find: 'a', replace: 'b' },
        { find: 'b', replace: 'c' },
      ]),
    ).toBe('c');
  });

  test('replace all when the count is right', () => {
    expect(editBody('x y x', [{ find: 'x', replace: 'zz', count: 2 }])).toBe('zz y zz');
  });

  test.each([
    [{ find: 'x', replace: 'z' }, 2, 1],
    [{ find: 'x', replace: 'z', count: 3 }, 2, 3],
    [{ find: 'X', replace: 'z' }, 0, 1],
  ])('are refused with the number of matches otherwise: %j', (edit, found, expected) => {
    expect(refusal(() => editBody('x y x', [edit]))).toMatchObject({
      code: 'match_failed',
      details: { found, expected },
    });
  });

  test('are all refused when one is', () => {
    const failed = refusal(() =>
      editBody('a b', [
        { find: 'a', replace: 'c' },
        { find: 'a', replace: 'd' },
      ]),
    );
    expect(failed.details).toMatchObject({ edit: 1, found: 0 });
  });

  test('say so when only the line breaks differ', () => {
    const { details } = refusal(() => editBody('a\r\nb', [{ find: 'a\nb', replace: 'c' }]));
    expect(details.hint).toBe('The body ends its lines with \\r\\n.');
  });

  test('refuse to look for nothing', () => {
    expect(refusal(() => editBody('a', [{ find: '', replace: 'b', count: 2 }])).code).toBe('validation_failed');
  });

  test('refuse to grow the body over its limit before they build it', () => {
    const edits = Array.from({ length: 100 }, () => ({ find: 'a', replace: 'aa'.repeat(2_000), count: 1 }));
    const body = 'a'.repeat(1_000);
    expect(
      refusal(() => editBody(body, [{ find: 'a', replace: 'x'.repeat(100_000), count: 1_000 }, ...edits])).code,
    ).toBe('limit_exceeded');
  });

  test('change nothing else', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 40 }), fc.string({ maxLength: 40 }), fc.string(), (before, after, replace) => {
        const find = '\u0000needle\u0000';
        fc.pre(!before.includes('\0') && !after.includes('\0'));
        expect(editBody(before + find + after, [{ find, replace }])).toBe(before + replace + after);
      }),
    );
  });
});

describe('the search', () => {
  test('finds what a plain split finds', () => {
    const few = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 30 });
    const find = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(few, find, (text, needle) => occurrences(text, needle).length === text.split(needle).length - 1),
      {
        numRuns: 2_000,
      },
    );
  });

  test('is linear on text that repeats itself', () => {
    // A plain indexOf compares forty thousand million characters here, and the test would time out.
    const find = `${'a'.repeat(100_000)}b${'a'.repeat(100_000)}`;
    expect(occurrences('a'.repeat(400_000), find)).toEqual([]);
  });
});
