import { agents } from './agents.ts';
import { articles, search, siteAndPages } from './content.ts';
import type { Example } from './example.ts';
import { translations } from './languages.ts';
import { comments } from './readers.ts';
import { publishing } from './release.ts';
import { menusAndRedirects } from './structure.ts';

/** The story of one site, in the order in which it happens; every tool has a part in it. */
export const examples: readonly Example[] = [
  ...siteAndPages,
  ...articles,
  ...translations,
  ...menusAndRedirects,
  ...search,
  ...publishing,
  ...comments,
  ...agents,
];
