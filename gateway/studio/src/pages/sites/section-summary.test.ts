import { describe, expect, it } from 'vitest';
import { summaryOf } from './section-summary.ts';

const picture = `as_${'0'.repeat(26)}`;

describe('the summary of a section', () => {
  it('is what it says first, and what it lists', () => {
    const items = [{ title: 'One' }, { title: 'Two' }];
    expect(summaryOf({ items, heading: 'Our boats' })).toEqual({ words: 'Our boats', listed: 2 });
    expect(summaryOf({ markdown: '\n\n## The *harbour*\n\nMore.' })).toEqual({ words: 'The *harbour*' });
  });

  it('names a picture, which is no words', () => {
    expect(summaryOf({ asset: picture })).toEqual({ words: '', picture });
    expect(summaryOf({ image: picture, heading: 'Welcome' })).toEqual({ words: 'Welcome', picture });
  });

  it('holds for props that nobody expected', () => {
    expect(summaryOf({})).toEqual({ words: '' });
    expect(summaryOf({ depth: 3, odd: 'Something', heading: 7 })).toEqual({ words: 'Something' });
  });
});
