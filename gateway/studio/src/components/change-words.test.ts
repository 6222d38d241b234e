import { describe, expect, it } from 'vitest';
import { fieldName, inWords } from './change-words.ts';

const co = 'co_01k7wq5m7h8x2v3t4r5s6p7q8z';
const pe = 'pe_01k7wq5m7h8x2v3t4r5s6p7q8z';
const words = (values: Parameters<typeof inWords>[0]) =>
  inWords(values, (id) => (id === pe ? 'Ada Byron' : id)).map(({ of: _, ...shown }) => shown);

describe('what changed, in words', () => {
  it('says of a correction what it is, of when, and its text', () => {
    const values = [
      { member: '"corrections (order)"', after: `"['${co}']"` },
      { member: `"corrections.${co}.kind"`, after: '"retraction"' },
      { member: `"corrections.${co}.text"`, after: '"It was not so."' },
      { member: `"corrections.${co}.correctedAt"`, after: '"2026-11-30"' },
    ];
    expect(words(values)).toEqual([{ member: 'Retraction of 30 November 2026', after: '"It was not so."' }]);
  });

  it('lists terms, and people by their names', () => {
    const values = [
      { member: '"terms.topics"', before: `"['sea']"`, after: `"['sea','grey-seals']"` },
      { member: '"bylines"', after: `"['${pe}','unknown']"` },
    ];
    expect(words(values)).toEqual([
      { member: 'Topics', before: 'sea', after: 'sea, grey-seals' },
      { member: 'Bylines', after: 'Ada Byron, unknown' },
    ]);
  });

  it.each([
    ['fields.seoTitle', 'Title for search engines'],
    ['seo.description', 'Description for search engines'],
    ['fields.startsOn', 'Starts on'],
    [`sections.${co}.props.heading`, 'Sections, heading'],
    ['sections (order)', 'The order of: Sections'],
    ['constructor', 'Constructor'],
  ])('names %s', (member, name) => expect(words([{ member: `"${member}"` }])).toEqual([{ member: name }]));

  it('names a field as forms do', () => expect(fieldName('seoTitle')).toBe('Title for search engines'));
});
