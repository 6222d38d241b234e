import { expect, it } from 'vitest';
import { byTaxonomy, slugsOf, termsOf, withSlugs } from './term-refs.ts';

it('terms are told apart by taxonomies that are called alike, or like what every object has', () => {
  const slugs = { topic: ['sea'], topics: ['sea', 'winter'], constructor: ['harbour'] };
  const terms = termsOf(slugs);
  expect(byTaxonomy(terms)).toEqual(slugs);
  expect(slugsOf(terms, 'topic')).toEqual(['sea']);
  expect(byTaxonomy(withSlugs(terms, 'topics', []))).toEqual({ topic: ['sea'], constructor: ['harbour'] });
});
