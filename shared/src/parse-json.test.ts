import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CloudhalError } from './errors.ts';
import { parseJson } from './parse-json.ts';

function codeOf(text: string | Uint8Array, limits?: Parameters<typeof parseJson>[1]): string {
  try {
    parseJson(text, limits);
    return 'accepted';
  } catch (error) {
    if (error instanceof CloudhalError) return error.code;
    throw error;
  }
}

describe('parsing JSON of a stranger', () => {
  it('whatever JSON.stringify writes is read as it was', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 8 }), (value) => {
        const text = JSON.stringify(value);
        const expected = JSON.parse(text);
        const code = codeOf(text);
        if (code === 'accepted') expect(parseJson(text)).toEqual(expected);
        // Doubles beyond 2^53, NUL, lone surrogates and __proto__ are the only things left out.
        else expect(['validation_failed', 'invalid_unicode', 'malformed_json']).toContain(code);
      }),
    );
  });

  it('the text and its UTF-8 bytes give the same value', () => {
    const text = '{"a":[1,-2.5,true,null],"ü":"\\n😀 \\ud83d\\ude00","":{}}';
    expect(parseJson(text)).toEqual(JSON.parse(text));
    expect(parseJson(Buffer.from(text))).toEqual(JSON.parse(text));
  });

  it.each([
    ['64 levels', '['.repeat(64) + ']'.repeat(64), 'accepted'],
    ['65 levels', '['.repeat(65) + ']'.repeat(65), 'json_too_deep'],
    ['10,000 levels', '['.repeat(10_000) + ']'.repeat(10_000), 'json_too_deep'],
    ['a million levels of objects', '{"a":'.repeat(1_000_000), 'json_too_deep'],
    ['brackets inside text', JSON.stringify('['.repeat(1000)), 'accepted'],
    ['a repeated key', '{"confirm":false,"confirm":true}', 'malformed_json'],
    ['a repeated key deep inside', '[{"a":{"b":1,"c":[],"b":2}}]', 'malformed_json'],
    ['a repeated key in two spellings', '{"a":1,"\\u0061":2}', 'malformed_json'],
    ['the same key in siblings', '[{"a":1},{"a":{"a":2}}]', 'accepted'],
    ['a key that is also a value', '{"a":"a","b":["a","b"]}', 'accepted'],
    ['__proto__', '{"__proto__":{"scopes":["*"]}}', 'malformed_json'],
    ['__proto__ with escapes', '{"__pro\\u0074o__":{}}', 'malformed_json'],
    ['__proto__ as a value', '["__proto__"]', 'accepted'],
    ['2^53 - 1', '9007199254740991', 'accepted'],
    ['2^53 + 1', '[{"n":9007199254740993}]', 'validation_failed'],
    ['1e400', '[1e400]', 'validation_failed'],
    ['1E2', '[1E2]', 'accepted'],
    ['many decimals', '0.12345678901234567890', 'accepted'],
    ['NaN', '[NaN]', 'malformed_json'],
    ['Infinity', 'Infinity', 'malformed_json'],
    ['a lone high surrogate', '{"a":["\\ud800"]}', 'invalid_unicode'],
    ['a lone low surrogate', '"\\udc00x"', 'invalid_unicode'],
    ['a lone surrogate in a key', '{"\\udc00":1}', 'invalid_unicode'],
    ['a raw lone surrogate', '"\ud800"', 'invalid_unicode'],
    ['a pair of escapes', '"\\ud83d\\ude00"', 'accepted'],
    ['an escaped backslash before u', '"\\\\ud800"', 'accepted'],
    ['NUL', '"a\\u0000b"', 'invalid_unicode'],
    ['a byte order mark', '\ufeff{}', 'malformed_json'],
    ['an unclosed string', '{"a', 'malformed_json'],
    ['a backslash at the end', '"\\', 'malformed_json'],
    ['nothing', '', 'malformed_json'],
    ['two documents', '{} {}', 'malformed_json'],
    ['a trailing comma', '[1,]', 'malformed_json'],
    ['a comment', '{/**/}', 'malformed_json'],
    ['more closing than opening', ']]]]', 'malformed_json'],
  ])('%s: %#', (_, text, code) => {
    expect(codeOf(text)).toBe(code);
  });

  it('bytes that are not UTF-8 are refused', () => {
    expect(codeOf(Buffer.from([0x22, 0xff, 0x22]))).toBe('malformed_json');
    expect(codeOf(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]))).toBe('malformed_json');
    expect(codeOf(Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from('{}')]))).toBe('malformed_json');
  });

  it('too many keys are refused', () => {
    const many = JSON.stringify(Object.fromEntries(Array.from({ length: 200 }, (_, i) => [`k${i}`, i])));
    expect(codeOf(many)).toBe('accepted');
    expect(codeOf(many, { maxKeys: 199 })).toBe('limit_exceeded');
  });

  it('the place of a bad value is named, and the document is never repeated', () => {
    expect(() => parseJson('{"set":{"tags":["ok","\\ud800"]}}')).toThrow(/set\.tags\[1\]/);
    expect(() => parseJson('{"secret": "hunter2", oops')).not.toThrow(/hunter2/);
  });
});
