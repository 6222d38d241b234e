import type { TObject } from 'typebox';
import { AssetBody } from './asset.ts';
import { ChromeBody } from './chrome.ts';
import { DesignBody } from './design.ts';
import { MenuBody } from './menu.ts';
import { PersonBody } from './person.ts';
import { RedirectBody } from './redirect.ts';
import { ReleaseBody } from './release.ts';
import { ContentTypeBody, EntryBody, type NodeKind, PageBody, SiteBody } from './shapes.ts';
import { TaxonomyBody, TermBody } from './taxonomy.ts';

/** The schema of each kind's body, for what comes from outside; a kind without one is not taken from there. */
export const nodeBodies: { readonly [K in NodeKind]?: TObject } = {
  site: SiteBody,
  page: PageBody,
  entry: EntryBody,
  content_type: ContentTypeBody,
  person: PersonBody,
  taxonomy: TaxonomyBody,
  term: TermBody,
  menu: MenuBody,
  redirect: RedirectBody,
  release: ReleaseBody,
  design: DesignBody,
  chrome: ChromeBody,
  asset: AssetBody,
};
