import type { PageHit } from '@cloudhal/shared/contracts';
import type { Database } from '@cloudhal/shared/database';
import type { Static } from 'typebox';

type Hit = Static<typeof PageHit>;
type Row = Hit & { siteId: string };

/** So many different addresses of one kind are kept for a site and day: those who make addresses up fill no disk. */
const mostOfOneDay = { missing: 2_000, referrals: 5_000 };
const longestMissing = 200;

/** Adds what the gateways counted to the figures of the day. */
export async function takeHits(database: Database, hits: readonly Hit[]): Promise<void> {
  const slugs = [...new Set(hits.map(({ site }) => site))];
  const sites = new Map(
    (
      await database.query<{ id: string; slug: string }>('SELECT id, slug FROM tools.site WHERE slug = ANY($1)', [
        slugs,
      ])
    ).map(({ id, slug }) => [slug, id]),
  );
  const known = hits.flatMap((hit): Row[] => {
    const siteId = sites.get(hit.site);
    return siteId === undefined ? [] : [{ ...hit, siteId }];
  });
  const found = known.filter((hit) => hit.found);
  const missing = known.filter((hit) => !hit.found);
  await database.transaction(async (tx) => {
    if (found.length > 0) {
      await tx.query(countViews, [JSON.stringify(found)]);
      await tx.query(countReferrals, [JSON.stringify(found), mostOfOneDay.referrals]);
    }
    if (missing.length > 0) {
      const rows = missing.map(({ siteId, day, path, views }) => ({
        siteId,
        day,
        path: path.slice(0, longestMissing),
        views,
      }));
      await tx.query(countMissing, [JSON.stringify(rows), mostOfOneDay.missing]);
    }
  });
}

// In one order everywhere, so that two batches cannot wait for each other. Each page counts for itself and for its site.
const countViews = `
  WITH hit AS (
    SELECT h."siteId" AS site_id, h.day::date AS day, p.path, h.views, h.visitors
    FROM jsonb_to_recordset($1::jsonb) AS h ("siteId" text, day text, path text, views bigint, visitors jsonb)
    CROSS JOIN LATERAL (VALUES (h.path), ('')) AS p (path)
  ), seen AS (
    INSERT INTO tools.visitor (site_id, day, path, hash)
    SELECT DISTINCT h.site_id, h.day, h.path, v.hash FROM hit h, jsonb_array_elements_text(h.visitors) AS v (hash)
    ORDER BY 1, 2, 3, 4
    ON CONFLICT DO NOTHING RETURNING site_id, day, path
  )
  INSERT INTO tools.page_views AS t (site_id, day, path, views, visitors)
  SELECT h.site_id, h.day, h.path, sum(h.views),
    (SELECT count(*) FROM seen s WHERE s.site_id = h.site_id AND s.day = h.day AND s.path = h.path)
  FROM hit h GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (site_id, day, path) DO UPDATE SET views = t.views + excluded.views, visitors = t.visitors + excluded.visitors`;

const countReferrals = `
  INSERT INTO tools.referral AS t (site_id, day, path, host, views)
  SELECT h."siteId", h.day::date, h.path, r.host, sum(r.views)
  FROM jsonb_to_recordset($1::jsonb) AS h ("siteId" text, day text, path text, referrers jsonb),
    jsonb_to_recordset(h.referrers) AS r (host text, views bigint)
  WHERE (SELECT count(*) FROM tools.referral o WHERE o.site_id = h."siteId" AND o.day = h.day::date) < $2
  GROUP BY 1, 2, 3, 4 ORDER BY 1, 2, 3, 4
  ON CONFLICT (site_id, day, path, host) DO UPDATE SET views = t.views + excluded.views`;

const countMissing = `
  INSERT INTO tools.missing_page AS t (site_id, day, path, hits)
  SELECT h."siteId", h.day::date, h.path, sum(h.views)
  FROM jsonb_to_recordset($1::jsonb) AS h ("siteId" text, day text, path text, views bigint)
  WHERE (SELECT count(*) FROM tools.missing_page o WHERE o.site_id = h."siteId" AND o.day = h.day::date) < $2
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (site_id, day, path) DO UPDATE SET hits = t.hits + excluded.hits`;

/** Forgets the visitors of days that are over, and figures that are old. */
export async function forgetHits(database: Database): Promise<void> {
  const days = { visitor: 2, missing_page: 90, referral: 400, page_views: 800 };
  for (const [table, kept] of Object.entries(days)) {
    await database.query(`DELETE FROM tools.${table} WHERE day < (now() AT TIME ZONE 'UTC')::date - $1::int`, [kept]);
  }
}
