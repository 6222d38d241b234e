import fc from 'fast-check';
import { Type } from 'typebox';
import { describe, expect, it } from 'vitest';
import { CloudhalError } from './errors.ts';
import { coerceLosslessly, compile } from './schema.ts';

function complaint(schema: object, value: unknown): string {
  const check: (value: unknown) => asserts value is unknown = compile(schema);
  try {
    check(value);
    return 'valid';
  } catch (error) {
    if (error instanceof CloudhalError) return `${error.body.details?.path}: ${error.body.details?.expected}`;
    throw error;
  }
}

const Section = Type.Object({ id: Type.String({ maxLength: 5 }) }, { additionalProperties: false });
const Page = Type.Object(
  {
    title: Type.String({ minLength: 1 }),
    on: Type.Optional(Type.String({ format: 'date' })),
    count: Type.Optional(Type.Integer()),
    sections: Type.Optional(Type.Array(Section)),
    state: Type.Optional(Type.Union([Type.Literal('draft'), Type.Literal('live')])),
    at: Type.Optional(Type.String({ format: 'date-time' })),
    answer: Type.Optional(
      Type.Union([
        Type.Object({ kind: Type.Literal('a'), n: Type.Integer() }),
        Type.Object({ kind: Type.Literal('b'), text: Type.String() }),
      ]),
    ),
  },
  { additionalProperties: false },
);

const known = 'title, on, count, sections, state, at, answer';
const aTime = 'must be a time with its offset, such as 2026-03-01T09:00:00Z';
const aDay = 'must be a day that there is, such as 2026-03-01';

describe('validation', () => {
  it.each([
    ['a good value', { title: 'x', sections: [{ id: 'a' }], state: 'live', at: '2026-01-02T03:04:05Z' }, 'valid'],
    ['a wrong type', { title: 5 }, 'title: must be string'],
    ['a missing member', {}, 'title: it is required'],
    ['a missing member deep inside', { title: 'x', sections: [{ id: 'a' }, {}] }, 'sections[1].id: it is required'],
    ['a surplus member', { title: 'x', owner: 'me' }, `owner: there is no such argument; there is: ${known}`],
    [
      '__proto__ as a member',
      JSON.parse('{"title":"x","__proto__":{}}'),
      `__proto__: there is no such argument; there is: ${known}`,
    ],
    ['a choice of literals', { title: 'x', state: 'gone' }, 'state: one of "draft", "live"'],
    ['no object at all', [], 'arguments: must be object'],
    ['too long', { title: 'x', sections: [{ id: 'abcdef' }] }, 'sections[0].id: must NOT have more than 5 characters'],
    ...['tomorrow', '2026-02-30T09:00:00Z', '0000-01-01T00:00:00Z', '2026-03-01'].map(
      (at): [string, unknown, string] => [`the time ${at}`, { title: 'x', at }, `at: ${aTime}`],
    ),
    ['a day that there is not', { title: 'x', on: '2026-02-30' }, `on: ${aDay}`],
    ['a leap day', { title: 'x', on: '2028-02-29' }, 'valid'],
    ['an empty text', { title: '' }, 'title: must not be empty'],
    [
      'the branch of a union that came furthest',
      { title: 'x', answer: { kind: 'a', n: 'one' } },
      'answer.n: must be integer',
    ],
  ])('%s', (_, value, expected) => {
    expect(complaint(Page, value)).toBe(expected);
  });

  it('a missing member says what it is, where the schema does', () => {
    const Change = Type.Object({ rev: Type.Integer({ description: 'The rev that get_page returned.' }) });
    expect(complaint(Change, {})).toBe('rev: it is required (The rev that get_page returned)');
  });

  it('a schema that is not understood is an error at once', () => {
    expect(() => compile({ type: 'object', unknownKeyword: 1 })).toThrow(/unknownKeyword/);
  });
});

describe('coercion', () => {
  const Args = Type.Object({
    n: Type.Optional(Type.Integer()),
    x: Type.Optional(Type.Number()),
    on: Type.Optional(Type.Boolean()),
    list: Type.Optional(Type.Array(Type.Integer())),
    set: Type.Optional(Type.Object({ count: Type.Integer() })),
    text: Type.Optional(Type.String()),
    any: Type.Optional(Type.Unknown()),
    either: Type.Optional(Type.Union([Type.Null(), Type.Integer()])),
    fields: Type.Optional(Type.Record(Type.String(), Type.Boolean())),
    mixed: Type.Optional(Type.Union([Type.Integer(), Type.String()])),
  });

  it.each([
    [{ n: '5' }, { n: 5 }],
    [{ n: '-5' }, { n: -5 }],
    [{ n: '05' }, { n: '05' }],
    [{ n: '5.0' }, { n: '5.0' }],
    [{ n: ' 5' }, { n: ' 5' }],
    [{ n: '1e3' }, { n: '1e3' }],
    [{ n: '' }, { n: '' }],
    [{ n: '-0' }, { n: '-0' }],
    [{ n: '9007199254740993' }, { n: '9007199254740993' }],
    [{ x: '1.5' }, { x: 1.5 }],
    [{ x: '1.50' }, { x: '1.50' }],
    [{ x: 'NaN' }, { x: 'NaN' }],
    [{ x: 'Infinity' }, { x: 'Infinity' }],
    [{ on: 'true' }, { on: true }],
    [{ on: 'false' }, { on: false }],
    [{ on: 'yes' }, { on: 'yes' }],
    [{ on: 1 }, { on: 1 }],
    [{ n: true }, { n: true }],
    [{ text: 5 }, { text: 5 }],
    [{ text: '5' }, { text: '5' }],
    [{ any: '5' }, { any: '5' }],
    [{ list: '[1, 2]' }, { list: [1, 2] }],
    [{ list: '["1"]' }, { list: [1] }],
    [{ list: '{"a":1}' }, { list: '{"a":1}' }],
    [{ list: '[1,' }, { list: '[1,' }],
    [{ list: '5' }, { list: '5' }],
    [{ list: 5 }, { list: 5 }],
    [{ set: '{"count":"3"}' }, { set: { count: 3 } }],
    [{ set: '{"count":1,"count":2}' }, { set: '{"count":1,"count":2}' }],
    [{ set: { count: '3', more: '4' } }, { set: { count: 3, more: '4' } }],
    [{ either: '7' }, { either: 7 }],
    [{ either: null }, { either: null }],
    [{ either: 'null' }, { either: 'null' }],
    [{ fields: { a: 'true', b: 'x' } }, { fields: { a: true, b: 'x' } }],
    [{ mixed: '5' }, { mixed: '5' }],
    [{ unknown: '5' }, { unknown: '5' }],
    ['{"n":1}', { n: 1 }],
  ])('%j becomes %j', (value, expected) => {
    expect(coerceLosslessly(Args, value)).toEqual(expected);
  });

  it('members are never dropped or invented, and what was sent is not touched', () => {
    const args = fc.dictionary(
      fc.constantFrom('n', 'x', 'on', 'list', 'set', 'text', 'either', 'fields', 'mixed', 'other'),
      fc.jsonValue({ maxDepth: 3 }),
    );
    fc.assert(
      fc.property(args, (value) => {
        const before = JSON.stringify(value);
        const result = coerceLosslessly(Args, value) as object;
        expect(Object.keys(result)).toEqual(Object.keys(value));
        expect(JSON.stringify(value)).toBe(before);
      }),
    );
  });

  it('only text changes, and only into what it says', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.integer().map(String), fc.double().map(String)), (text) => {
        const { n, x } = coerceLosslessly(Args, { n: text, x: text }) as { n: unknown; x: unknown };
        expect(String(n)).toBe(text);
        expect(String(x)).toBe(text);
      }),
    );
  });

  it('a valid value stays as it is, and coercing twice changes nothing more', () => {
    fc.assert(
      fc.property(fc.record({ n: fc.integer(), on: fc.boolean(), list: fc.array(fc.integer()) }), (value) => {
        expect(coerceLosslessly(Args, value)).toEqual(value);
        const text = { n: String(value.n), on: String(value.on), list: JSON.stringify(value.list) };
        expect(coerceLosslessly(Args, text)).toEqual(value);
        expect(coerceLosslessly(Args, coerceLosslessly(Args, text))).toEqual(value);
      }),
    );
  });

  it('a copy is returned even where nothing changes', () => {
    const value = { either: null, set: { count: 1 }, list: [1] };
    const copy = coerceLosslessly(Args, value) as typeof value;
    expect(copy).toEqual(value);
    expect(copy.set).not.toBe(value.set);
    expect(copy.list).not.toBe(value.list);
  });
});
