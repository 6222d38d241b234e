import type { Database } from '@cloudhal/shared/database';
import { isUniqueViolation } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import { isId, newId, uuidv7 } from '@cloudhal/shared/ids';
import { auditEvent, putInOutbox } from '@cloudhal/shared/outbox';
import { builtInContentTypes } from '@cloudhal/shared/site/content-types';
import type { SiteBody } from '@cloudhal/shared/site/shapes';
import { builtInTaxonomies } from '@cloudhal/shared/site/taxonomy';
import { isLocale } from '../content/locales.ts';
import { checkSlug } from '../content/slug.ts';
import { BufferedDraft } from './buffered-draft.ts';
import type { GraphNode } from './node.ts';
import { sendSteps } from './steps.ts';
import { bodySteps, storeSteps, takeSite } from './store-changes.ts';

/** The first locale is the default one. */
export type NewSite = { slug: string; title: string; tagline?: string; locales?: string[] };

/**
 * A site with the built-in content types and taxonomies, as its first snapshot: its settings are live, it has no pages yet. One that
 * is imported gets the id that it had, and its types and taxonomies from there.
 */
export async function createSite(
  database: Database,
  { slug, title, tagline, locales = ['en'] }: NewSite,
  actor: { id: string; name: string } = { id: 'system', name: 'Cloudhal' },
  restoredAs?: string,
): Promise<{ id: string; slug: string; snapshot: string }> {
  const [defaultLocale] = locales;
  const odd = locales.findIndex((locale, index) => !isLocale(locale) || locales.indexOf(locale) !== index);
  if (defaultLocale === undefined || odd >= 0) {
    const path = `locales[${Math.max(odd, 0)}]`;
    throw fail('validation_failed', { path, expected: 'different locales, such as en or pt-BR' });
  }
  if (restoredAs !== undefined && !isId(restoredAs)) {
    throw fail('validation_failed', { path: 'restoredAs', expected: 'the id of a site' });
  }
  const id = restoredAs ?? newId('st');
  const body: SiteBody = {
    title,
    slug: checkSlug(slug),
    ...(tagline !== undefined && { tagline }),
    locales,
    defaultLocale,
  };
  const snapshot = newId('sn');
  const facts = { id: snapshot, reason: 'siteCreated', tool: 'create_site', actor, callId: uuidv7() };
  try {
    await database.transaction(async (tx) => {
      await tx.query('INSERT INTO tools.site (id, slug) VALUES ($1, $2)', [id, slug]);
      const draft = new BufferedDraft(tx, id);
      const nodes: GraphNode[] = [await draft.create('site', body, { id })];
      if (restoredAs === undefined) {
        for (const type of builtInContentTypes) nodes.push(await draft.create('content_type', type));
        for (const taxonomy of builtInTaxonomies) {
          nodes.push(await draft.create('taxonomy', { ...taxonomy, locale: defaultLocale }));
        }
      }
      await draft.place('live', new Map(nodes.map((node) => [node.id, node])));
      await sendSteps(tx, [...bodySteps(draft), takeSite(draft, snapshot), ...storeSteps(draft, facts)]);
      await putInOutbox(
        tx,
        'tools',
        auditEvent('tool-service', {
          type: 'config.site_created',
          call_id: facts.callId,
          site: id,
          actor: { type: 'system', ...actor },
          snapshot_id: snapshot,
          details: { slug, title, ...(restoredAs !== undefined && { restored: true }) },
        }),
      );
    });
  } catch (error) {
    if (isUniqueViolation(error, 'site_slug_key')) throw fail('slug_taken', { slug, by: 'another site' });
    throw error;
  }
  return { id, slug, snapshot };
}
