import { cut } from '@cloudhal/shared/cut';
import type { Database } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';

/** The id of a site that is named by its slug or id; else `not_found`. */
export async function siteBySlug(database: Database, ref: string): Promise<string> {
  const [site] = await database.query<{ id: string }>('SELECT id FROM tools.site WHERE slug = $1 OR id = $1', [ref], {
    name: 'site_by_slug',
  });
  if (!site) throw fail('not_found', { what: 'site', id: cut(ref, 96) });
  return site.id;
}
