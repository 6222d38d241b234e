import { describe, expect, it } from 'vitest';
import { changeOf, mergeEntry } from './merge-entry.ts';

const read = {
  fields: { title: 'Seals', summary: 'They are back.', tags: ['winter'] },
  body: 'One.\n\nTwo.\n\nThree.\n\nFour.\n',
};

describe('what a person changed', () => {
  it('is sent without what stayed, and an emptied field is removed', () => {
    const written = { fields: { ...read.fields, title: 'Grey seals', summary: '', tags: ['winter'] }, body: read.body };
    expect(changeOf(read, written)).toEqual({ set: { title: 'Grey seals' }, unset: ['summary'] });
    expect(changeOf(read, read)).toEqual({});
  });

  it('goes into what somebody else changed elsewhere', () => {
    const mine = { fields: { ...read.fields, summary: 'Back again.' }, body: read.body.replace('Four', 'Last') };
    const theirs = { fields: { ...read.fields, title: 'Grey seals' }, body: read.body.replace('One', 'First') };
    expect(mergeEntry(read, mine, theirs)).toEqual({
      fields: { ...read.fields, title: 'Grey seals', summary: 'Back again.' },
      body: 'First.\n\nTwo.\n\nThree.\n\nLast.\n',
      clashes: [],
    });
  });

  it('goes into other lines of one text that both changed', () => {
    const at = (markdown: string) => ({ fields: { markdown }, body: '' });
    const theirs = at(read.body.replace('One', 'First'));
    expect(mergeEntry(at(read.body), at(read.body.replace('Four', 'Last')), theirs)).toEqual({
      ...at('First.\n\nTwo.\n\nThree.\n\nLast.\n'),
      clashes: [],
    });
    expect(mergeEntry(at(read.body), at(read.body.replace('One', 'Once')), theirs).clashes).toEqual(['markdown']);
  });

  it('stands where both changed the same, which is named', () => {
    const mine = { fields: { ...read.fields, title: 'My seals' }, body: read.body.replace('Two', 'My two') };
    const theirs = { fields: { ...read.fields, title: 'Their seals' }, body: read.body.replace('Two', 'Their two') };
    expect(mergeEntry(read, mine, theirs)).toEqual({ ...mine, clashes: ['title', 'body'] });
  });

  it('is no clash where both made the same change, or one changed nothing', () => {
    const same = { fields: { ...read.fields, title: 'Grey seals' }, body: 'New.\n' };
    expect(mergeEntry(read, same, same).clashes).toEqual([]);
    expect(mergeEntry(read, read, same)).toEqual({ ...same, clashes: [] });
    expect(mergeEntry(read, same, read)).toEqual({ ...same, clashes: [] });
  });
});
