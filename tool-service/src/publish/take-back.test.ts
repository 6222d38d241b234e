import { describe, expect, it } from 'vitest';
import { takeBack } from './take-back.ts';

const section = (id: string, props: object) => ({ id, type: 'text', props });

describe('taking a step back', () => {
  it.each([
    ['nothing came since', { title: 'a' }, { title: 'b' }, { title: 'b' }, { title: 'a' }],
    [
      'something else came since',
      { title: 'a' },
      { title: 'b' },
      { title: 'b', tagline: 'x' },
      { title: 'a', tagline: 'x' },
    ],
    ['a member was added', { t: 1 }, { t: 1, seo: { title: 's' } }, { t: 1, seo: { title: 's' } }, { t: 1 }],
    ['a member was removed', { t: 1, slug: 's' }, { t: 1 }, { t: 1 }, { t: 1, slug: 's' }],
    [
      'another field changed since',
      { fields: { a: 1, b: 1 } },
      { fields: { a: 2, b: 1 } },
      { fields: { a: 2, b: 3 } },
      { fields: { a: 1, b: 3 } },
    ],
    ['it was taken back by hand', { title: 'a' }, { title: 'b' }, { title: 'a' }, { title: 'a' }],
    [
      'the body changed with its blocks',
      { body: 'x', blocks: ['1'] },
      { body: 'y', blocks: ['2'] },
      { body: 'y', blocks: ['2'] },
      { body: 'x', blocks: ['1'] },
    ],
    [
      'another section changed since',
      { sections: [section('1', { a: 1 }), section('2', { a: 1 })] },
      { sections: [section('1', { a: 2 }), section('2', { a: 1 })] },
      { sections: [section('1', { a: 2 }), section('2', { a: 9 })] },
      { sections: [section('1', { a: 1 }), section('2', { a: 9 })] },
    ],
    [
      'another prop of the section changed since',
      { sections: [section('1', { a: 1, b: 1 })] },
      { sections: [section('1', { a: 2, b: 1 })] },
      { sections: [section('1', { a: 2, b: 2 })] },
      { sections: [section('1', { a: 1, b: 2 })] },
    ],
  ])('works where %s', (_, before, after, now, expected) => {
    expect(takeBack(before, after, now)).toEqual({ body: expected, conflicts: [] });
  });

  it.each([
    ['the same member changed since', { title: 'a' }, { title: 'b' }, { title: 'c' }, ['title']],
    [
      'the same field changed since',
      { fields: { a: 1, b: 1 } },
      { fields: { a: 2, b: 2 } },
      { fields: { a: 3, b: 2 } },
      ['fields.a'],
    ],
    [
      'the body changed since',
      { body: 'x', blocks: ['1'] },
      { body: 'y', blocks: ['1'] },
      { body: 'z', blocks: ['3'] },
      ['body'],
    ],
    [
      'the sections are others by now',
      { sections: [section('1', { a: 1 })] },
      { sections: [section('1', { a: 2 })] },
      { sections: [section('1', { a: 2 }), section('2', {})] },
      ['sections'],
    ],
    [
      'the same prop of the section changed since',
      { sections: [section('1', { a: 1 })] },
      { sections: [section('1', { a: 2 })] },
      { sections: [section('1', { a: 3 })] },
      ['sections[1].props.a'],
    ],
  ])('names the conflict where %s', (_, before, after, now, conflicts) => {
    expect(takeBack(before, after, now).conflicts).toEqual(conflicts);
  });

  it('leaves what it was given as it was', () => {
    const now = { fields: { a: 2 } };
    takeBack({ fields: { a: 1 } }, { fields: { a: 2 } }, now);
    expect(now).toEqual({ fields: { a: 2 } });
  });
});
