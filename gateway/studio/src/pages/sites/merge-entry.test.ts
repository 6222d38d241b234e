import { describe, expect, it } from 'vitest';
import { changeOf, fieldsAlone, mergeEntry } from './merge-entry.ts';

const read = {
  fields: { title: 'Seals', summary: 'They are back.', tags: ['winter'] },
  body: 'One.\n\nTwo.\n\nThree.\n\nFour.\n',
  terms: ['topics/sea', 'topics/winter', 'places/pier'],
  bylines: ['ada', 'grace'],
};

describe('what a person changed', () => {
  it('is sent without what stayed, and an emptied field is removed', () => {
    const written = { ...read, fields: { ...read.fields, title: 'Grey seals', summary: '', tags: ['winter'] } };
    expect(changeOf(read, written)).toEqual({ set: { title: 'Grey seals' }, unset: ['summary'] });
    expect(changeOf(read, read)).toEqual({});
  });

  it('goes into what somebody else changed elsewhere', () => {
    const mine = {
      ...read,
      fields: { ...read.fields, summary: 'Back again.' },
      body: read.body.replace('Four', 'Last'),
    };
    const theirs = {
      ...read,
      fields: { ...read.fields, title: 'Grey seals' },
      body: read.body.replace('One', 'First'),
    };
    expect(mergeEntry(read, mine, theirs)).toEqual({
      ...read,
      fields: { ...read.fields, title: 'Grey seals', summary: 'Back again.' },
      body: 'First.\n\nTwo.\n\nThree.\n\nLast.\n',
      clashes: [],
    });
  });

  it('goes into other lines of one text that both changed', () => {
    const at = (markdown: string) => fieldsAlone({ markdown });
    const theirs = at(read.body.replace('One', 'First'));
    expect(mergeEntry(at(read.body), at(read.body.replace('Four', 'Last')), theirs)).toEqual({
      ...at('First.\n\nTwo.\n\nThree.\n\nLast.\n'),
      clashes: [],
    });
    expect(mergeEntry(at(read.body), at(read.body.replace('One', 'Once')), theirs).clashes).toEqual(['markdown']);
  });

  it('stands where both changed the same, which is named', () => {
    const mine = { ...read, fields: { ...read.fields, title: 'My seals' }, body: read.body.replace('Two', 'My two') };
    const theirs = {
      ...read,
      fields: { ...read.fields, title: 'Their seals' },
      body: read.body.replace('Two', 'Their two'),
    };
    expect(mergeEntry(read, mine, theirs)).toEqual({ ...mine, clashes: ['title', 'body'] });
  });

  it('is no clash where both made the same change, or one changed nothing', () => {
    const same = {
      fields: { ...read.fields, title: 'Grey seals' },
      body: 'New.\n',
      terms: ['topics/sea'],
      bylines: ['grace'],
    };
    expect(mergeEntry(read, same, same).clashes).toEqual([]);
    expect(mergeEntry(read, read, same)).toEqual({ ...same, clashes: [] });
    expect(mergeEntry(read, same, read)).toEqual({ ...same, clashes: [] });
  });

  it('names the terms that came and went, and all bylines in their order', () => {
    const terms = ['places/pier', 'topics/sea', 'topics/seals'];
    expect(changeOf(read, { ...read, terms })).toEqual({ terms: { add: ['topics/seals'], remove: ['topics/winter'] } });
    expect(changeOf(read, { ...read, terms: read.terms.toReversed() })).toEqual({});
    expect(changeOf(read, { ...read, bylines: ['grace', 'ada'] })).toEqual({ bylines: ['grace', 'ada'] });
    expect(changeOf(read, { ...read, bylines: [] })).toEqual({ bylines: [] });
  });

  it('fits, of terms, into whatever others did with terms', () => {
    const mine = { ...read, terms: ['topics/sea', 'places/pier', 'topics/seals'] };
    const theirs = { ...read, terms: ['topics/winter', 'places/pier', 'topics/seals', 'topics/birds'] };
    expect(mergeEntry(read, mine, theirs)).toEqual({
      ...read,
      terms: ['places/pier', 'topics/seals', 'topics/birds'],
      clashes: [],
    });
  });

  it('stands, of bylines, where both changed them, since they have one order', () => {
    const [mine, theirs] = [
      { ...read, bylines: ['grace'] },
      { ...read, bylines: ['ada', 'grace', 'alan'] },
    ];
    expect(mergeEntry(read, mine, theirs)).toEqual({ ...mine, clashes: ['bylines'] });
    expect(mergeEntry(read, { ...read, body: 'New.\n' }, theirs)).toEqual({ ...theirs, body: 'New.\n', clashes: [] });
  });
});
