import type { Queryable } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import type { NodeKind } from '@cloudhal/shared/site/shapes';
import { fromCursor, paged, toCursor } from './cursor.ts';
import type { Hit, Page, SearchQuery } from './node.ts';
import { Values } from './rows.ts';

/** The languages whose word forms PostgreSQL knows, by the language of a locale. */
const languages: Record<string, string> = {
  ar: 'arabic',
  ca: 'catalan',
  da: 'danish',
  de: 'german',
  el: 'greek',
  en: 'english',
  es: 'spanish',
  eu: 'basque',
  fi: 'finnish',
  fr: 'french',
  ga: 'irish',
  hu: 'hungarian',
  hy: 'armenian',
  id: 'indonesian',
  it: 'italian',
  lt: 'lithuanian',
  nb: 'norwegian',
  ne: 'nepali',
  nl: 'dutch',
  nn: 'norwegian',
  no: 'norwegian',
  pt: 'portuguese',
  ro: 'romanian',
  ru: 'russian',
  sr: 'serbian',
  sv: 'swedish',
  ta: 'tamil',
  tr: 'turkish',
  yi: 'yiddish',
};

/** The text search configuration for a locale; words are taken as they are where the language is not known. */
export function searchConfig(locale: string | undefined): string {
  const [language = ''] = locale?.split('-') ?? [];
  return (Object.hasOwn(languages, language) && languages[language]) || 'simple';
}

// Beyond this many matches the ranking is among those found first: a search for a word that is everywhere stays cheap.
const ranked = 2_000;

type Row = { id: string; kind: NodeKind; title: string; path: string | null; locale: string | null; rank: number };

/** Nodes that have all of the words, best first; `"…"` is a phrase, `or` and `-` work as in web search. */
export async function searchNodes(
  sql: Queryable,
  site: string,
  query: SearchQuery,
  locales: readonly string[],
): Promise<Page<Hit> & { truncated: boolean }> {
  if (query.text.trim() === '') throw fail('validation_failed', { path: 'query', expected: 'at least one word' });
  const track = query.track ?? 'draft';
  const limit = query.limit ?? 10;
  const values = new Values();
  const text = values.add(query.text.slice(0, 500));
  // Each row was indexed with its own language, so the words are looked for in each language that the site has.
  const configs = [...new Set((query.locale === undefined ? locales : [query.locale]).map(searchConfig))];
  const matches = configs.map(
    (config) => `(s.config = '${config}'::regconfig AND s.words @@ websearch_to_tsquery('${config}', ${text}))`,
  );
  const wanted = [`s.site_id = ${values.add(site)}`, `s.track = '${track}'`, `(${matches.join(' OR ')})`];
  if (query.locale !== undefined) wanted.push(`s.locale = ${values.add(query.locale)}`);
  if (query.kinds) wanted.push(`s.kind = ANY(${values.add(query.kinds)})`);
  if (query.type !== undefined) {
    // Looked up for each match: a join would be with all of the site.
    wanted.push(`(SELECT t.type FROM tools.ver t WHERE t.site_id = s.site_id AND t.track = s.track AND t.node_id = s.node_id
      AND t.to_seq IS NULL AND t.kind = 'entry') = ${values.add(query.type)}`);
  }
  // An embargo that was set since, or a publish that went around it: readers do not find what they may not see.
  if (track === 'live') {
    wanted.push(`NOT EXISTS (SELECT FROM tools.embargo e WHERE e.site_id = s.site_id AND e.node_id = s.node_id
      AND e.until > now())`);
  }
  const found = `SELECT s.node_id, s.kind, s.title, s.locale, s.config,
    round(ts_rank_cd(s.words, websearch_to_tsquery(s.config, ${text}), 1)::numeric, 6)::float8 AS rank
    FROM tools.search s WHERE ${wanted.join(' AND ')} LIMIT ${ranked}`;
  let beyond = '';
  if (query.cursor !== undefined) {
    const [rank, id] = fromCursor(query.cursor, 'number', 'string');
    beyond = `WHERE (f.rank, f.node_id) < (${values.add(rank)}::float8, ${values.add(id)})`;
  }
  const rows = await sql.query<Row & { matches: number }>(
    `WITH f AS MATERIALIZED (${found})
     SELECT f.node_id AS id, f.kind, f.title, f.locale, f.rank,
       (SELECT v.path FROM tools.ver v WHERE v.site_id = ${values.add(site)} AND v.track = '${track}' AND v.node_id = f.node_id
         AND v.to_seq IS NULL) AS path,
       (SELECT count(*) FROM f) AS matches
     FROM f
     ${beyond} ORDER BY f.rank DESC, f.node_id DESC LIMIT ${limit + 1}`,
    values.all,
  );
  const { items, cursor } = paged(rows, limit, (row) => toCursor(row.rank, row.id));
  const snippets = await snippetsOf(
    sql,
    site,
    track,
    query.text,
    items.map((row) => row.id),
  );
  return {
    items: items.map(({ id, kind, title, path, locale }) => ({
      id,
      kind,
      title,
      ...(path !== null && { path }),
      ...(locale !== null && { locale }),
      snippet: snippets.get(id) ?? '',
    })),
    ...(cursor !== undefined && { cursor }),
    truncated: (rows[0]?.matches ?? 0) >= ranked,
  };
}

async function snippetsOf(sql: Queryable, site: string, track: string, text: string, ids: string[]) {
  const rows = await sql.query<{ id: string; snippet: string }>(
    `SELECT node_id AS id, ts_headline(config, left(text, 20000), websearch_to_tsquery(config, $4),
       'StartSel=**, StopSel=**, MaxWords=30, MinWords=12, MaxFragments=2, FragmentDelimiter=" … "') AS snippet
     FROM tools.search WHERE site_id = $1 AND track = $2 AND node_id = ANY($3)`,
    [site, track, ids, text.slice(0, 500)],
  );
  return new Map(rows.map((row) => [row.id, row.snippet]));
}
