import { Type } from 'typebox';
import { fallbackChain, localeName } from '../../content/locales.ts';
import { Input, readTool } from '../../define-tool.ts';
import type { View } from '../../graph/view.ts';
import { directionOf } from '../../render/words.ts';
import { Site } from '../arguments.ts';
import { Rows } from './translation-data.ts';

export const listLocales = readTool({
  name: 'list_locales',
  title: 'List locales',
  description:
    "The site's languages: what stands in for each where a translation is missing, and how much of the rest of the site is translated into it.",
  scopes: ['content:read'],
  toolsets: ['i18n'],
  input: Input({ site: Site }),
  output: Type.Object({ defaultLocale: Type.String(), locales: Rows }),
  async run(_, view) {
    const [{ locales, defaultLocale }, counts] = await Promise.all([view.head(), countVariants(view)]);
    const originals = counts.filter(({ of }) => !of).reduce((sum, { nodes }) => sum + nodes, 0);
    const rows = locales.map((locale) => {
      const own = counts.find((row) => row.locale === locale && !row.of)?.nodes ?? 0;
      const translated = counts.find((row) => row.locale === locale && row.of);
      const total = originals - own;
      return {
        locale,
        name: localeName(locale),
        direction: directionOf(locale),
        fallback: fallbackChain(locale, locales, defaultLocale),
        originals: own,
        translatable: total,
        translated: translated?.nodes ?? 0,
        published: translated?.published ?? 0,
        sourceMoved: translated?.moved ?? 0,
        coverage: total === 0 ? 100 : Math.floor((100 * (translated?.nodes ?? 0)) / total),
      };
    });
    return {
      data: { defaultLocale, locales: rows },
      next: ['translation_status says which nodes are missing or stale.'],
    };
  },
});

type Count = { locale: string; of: boolean; nodes: number; published: number; moved: number };

/** Pages and entries of the draft by locale: originals, and translations whose original is there. */
function countVariants(view: View): Promise<Count[]> {
  return view.rows<Count>(
    `SELECT v.locale, r.node_id IS NOT NULL AS of, count(*)::int AS nodes, count(l.node_id)::int AS published,
       (count(*) FILTER (WHERE r.rev > (b.doc#>>'{translation,rev}')::int))::int AS moved
     FROM tools.ver v JOIN tools.body b ON b.hash = v.hash
     LEFT JOIN tools.ver r ON r.site_id = v.site_id AND r.track = 'draft' AND r.node_id = b.doc#>>'{translation,of}'
       AND r.to_seq IS NULL AND NOT r.deleted
     LEFT JOIN tools.ver l ON l.site_id = v.site_id AND l.track = 'live' AND l.node_id = v.node_id
       AND l.to_seq IS NULL AND NOT l.deleted
     WHERE v.site_id = $1 AND v.track = 'draft' AND v.to_seq IS NULL AND NOT v.deleted AND v.kind IN ('page', 'entry')
       AND (r.node_id IS NOT NULL OR b.doc->'translation' IS NULL)
     GROUP BY 1, 2`,
  );
}
