import type { View } from '../graph/view.ts';

export type Broken = { source: string; kind: string; path: string | null; role: string; target: string };

/**
 * Links of what readers see to what they do not: to a node that is not live, or to a path at which nothing is served. `after`
 * is the last one seen: source, role and target.
 */
export function brokenInside(view: View, after: [string, string, string], limit: number): Promise<Broken[]> {
  return view.rows<Broken>(
    `SELECT e.source, s.kind, s.path, e.role, e.target FROM tools.edge e
     JOIN tools.ver s ON s.site_id = e.site_id AND s.track = 'live' AND s.node_id = e.source AND s.to_seq IS NULL AND NOT s.deleted
     CROSS JOIN LATERAL (SELECT regexp_replace(e.target, '^(/.+)/page/[1-9][0-9]{0,4}$', '\\1') AS path) t
     WHERE e.site_id = $1 AND e.track = 'live' AND e.target <> '/' AND e.target NOT LIKE 'http%'
       AND (e.source, e.role, e.target) > ($2, $3, $4)
       -- A node, by its id.
       AND NOT EXISTS (SELECT FROM tools.ver v WHERE v.site_id = $1 AND v.track = 'live' AND v.to_seq IS NULL
         AND NOT v.deleted AND v.node_id = e.target)
       -- What is served at the path itself, at the list of a type, or within a locale.
       AND NOT EXISTS (SELECT FROM tools.ver v WHERE v.site_id = $1 AND v.track = 'live' AND v.to_seq IS NULL
         AND NOT v.deleted AND v.path IN (e.target, regexp_replace(e.target, '^/[a-z]{2,3}(-[A-Za-z0-9]{2,8})*/', '/')))
       AND NOT EXISTS (SELECT FROM tools.ver v JOIN tools.body b ON b.hash = v.hash WHERE v.site_id = $1 AND v.track = 'live'
         AND v.to_seq IS NULL AND v.kind = 'content_type'
         AND b.doc->>'pathPrefix' IN (t.path, regexp_replace(t.path, '^/[a-z]{2,3}(-[A-Za-z0-9]{2,8})*/', '/')))
       AND NOT EXISTS (SELECT FROM tools.ver v JOIN tools.body b ON b.hash = v.hash WHERE v.site_id = $1 AND v.track = 'live'
         AND v.to_seq IS NULL AND v.kind = 'site' AND b.doc->'locales' ? substr(e.target, 2))
     ORDER BY e.source, e.role, e.target LIMIT $5`,
    [...after, limit],
  );
}
