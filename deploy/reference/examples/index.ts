import { agents } from './agents.ts';
import { articles, search, siteAndPages } from './content.ts';
import type { Example } from './example.ts';
import { translations } from './languages.ts';
import { media } from './pictures.ts';
import { comments, insight } from './readers.ts';
import { publishing, releases } from './release.ts';
import { looks, menusAndRedirects, taxonomies } from './structure.ts';

/** The story of one site, in the order in which it happens; every tool has a part in it. */
export const examples: readonly Example[] = [
  ...siteAndPages,
  ...articles,
  ...translations,
  ...menusAndRedirects,
  ...media,
  ...looks,
  ...search,
  ...publishing,
  ...releases,
  ...taxonomies,
  ...comments,
  ...insight,
  ...agents,
];
