import type { NodeKind, SiteBody } from '@cloudhal/shared/site/shapes';
import { type translatableKinds, translationId } from '../content/translations.ts';
import type { GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';
import { placeOfNode } from './locale-paths.ts';
import type { MapEntry } from './sitemap-xml.ts';

/** Nodes in one map: with all their alternates it travels in one message. */
const perMap = 500;

type Row = { id: string; kind: NodeKind; path: string; locale: string | null; of: string | null; at: Date };

const live = `FROM tools.ver v JOIN tools.body b ON b.hash = v.hash
  JOIN tools.snap s ON s.site_id = v.site_id AND s.seq = v.from_seq
  WHERE v.site_id = $1 AND v.track = 'live' AND v.to_seq IS NULL AND NOT v.deleted AND v.kind IN ('page', 'entry')
    AND v.path IS NOT NULL AND b.doc#>>'{seo,noindex}' IS DISTINCT FROM 'true'
    AND NOT EXISTS (SELECT FROM tools.embargo e WHERE e.site_id = v.site_id AND e.until > clock_timestamp()
      AND e.node_id IN (v.node_id, b.doc#>>'{translation,of}'))`;
const columns = `v.node_id AS id, v.kind, v.path, v.locale, b.doc#>>'{translation,of}' AS of, s.at`;

/** How many maps the site takes; at least one. */
export async function sitemapPages(view: View): Promise<number> {
  const [row] = await view.rows<{ nodes: number }>(`SELECT count(*)::int AS nodes ${live}`);
  return Math.max(1, Math.ceil(row!.nodes / perMap));
}

/** What readers may find of one map's nodes: pages and entries that are live and may be indexed. */
export async function sitemapPage(view: View, site: SiteBody, number: number): Promise<MapEntry[]> {
  const rows = await view.rows<Row>(`SELECT ${columns} ${live} ORDER BY v.node_id OFFSET $2 LIMIT $3`, [
    (number - 1) * perMap,
    perMap,
  ]);
  const variants = site.locales.length < 2 ? new Map<string, Row>() : await variantsOf(view, site, rows);
  return rows.map((row) => {
    const ids = groupOf(site, row);
    const group = site.locales.flatMap((locale) => {
      const found = ids.map((id) => variants.get(id)).find((variant) => variant?.locale === locale);
      return found ? [{ locale, path: pathOf(site, found) }] : [];
    });
    return { path: pathOf(site, row), at: row.at, ...(group.length > 1 && { alternates: group }) };
  });
}

async function variantsOf(view: View, site: SiteBody, rows: readonly Row[]): Promise<Map<string, Row>> {
  const ids = [...new Set(rows.flatMap((row) => groupOf(site, row)))];
  const found = await view.rows<Row>(`SELECT ${columns} ${live} AND v.node_id = ANY($2)`, [ids]);
  return new Map(found.map((row) => [row.id, row]));
}

/** The ids of the original and of what its translations would be. */
function groupOf({ locales }: SiteBody, { id, kind, of }: Row): string[] {
  const original = { id: of ?? id, kind: kind as (typeof translatableKinds)[number] };
  return [original.id, ...locales.map((locale) => translationId(original, locale))];
}

function pathOf(site: SiteBody, { id, kind, path, locale, of }: Row): string {
  const body = of === null ? {} : { translation: { of, rev: 1 } };
  return placeOfNode(site, { id, kind, path, ...(locale !== null && { locale }), body } as GraphNode);
}
