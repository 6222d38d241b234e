import { createHash } from 'node:crypto';
import type { Database } from '@cloudhal/shared/database';
import { newId } from '@cloudhal/shared/ids';
import type { Words } from './clean-text.ts';
import { spamFrom, spamScore } from './spam-score.ts';

/** So many may wait at once, in all and under one entry: whoever floods a site fills no disk. */
export const waitingLimits = { site: 10_000, entry: 500 } as const;

/**
 * Keeps a reader's comment for a person to look at. The same words under the same entry again are taken and kept once.
 * `false`: too many wait already.
 */
export async function takeComment(
  database: Database,
  to: { site: string; siteTitle: string; entry: string },
  words: Words,
): Promise<boolean> {
  const hash = createHash('sha256').update(words.text.toLowerCase().replace(/\s+/gu, ' ')).digest();
  const [known] = await database.query<{ waiting: number; here: number; repeats: number; again: boolean }>(
    `SELECT
       (SELECT count(*) FROM (SELECT FROM tools.comment WHERE site_id = $1 AND status IN ('pending', 'spam') LIMIT $4) w) AS waiting,
       (SELECT count(*) FROM tools.comment WHERE site_id = $1 AND node_id = $2 AND status IN ('pending', 'spam')) AS here,
       (SELECT count(*) FROM tools.comment_words w JOIN tools.comment c ON c.id = w.comment_id
        WHERE w.text_hash = $3 AND c.site_id = $1 AND c.created_at > now() - interval '30 days') AS repeats,
       EXISTS (SELECT FROM tools.comment_words w JOIN tools.comment c ON c.id = w.comment_id
        WHERE w.text_hash = $3 AND c.site_id = $1 AND c.node_id = $2 AND w.author = $5
          AND c.created_at > now() - interval '1 day') AS again`,
    [to.site, to.entry, hash, waitingLimits.site, words.author],
    { name: 'comment_around' },
  );
  if (known!.again) return true;
  if (known!.waiting >= waitingLimits.site || known!.here >= waitingLimits.entry) return false;
  const { score, signs } = spamScore(words, { repeats: known!.repeats, siteTitle: to.siteTitle });
  await database.query(
    `WITH c AS (
       INSERT INTO tools.comment (id, site_id, node_id, status, spam, signs) VALUES ($1, $2, $3, $4, $5, $6) RETURNING id
     )
     INSERT INTO tools.comment_words (comment_id, author, text, text_hash) SELECT id, $7, $8, $9 FROM c`,
    [
      newId('cm'),
      to.site,
      to.entry,
      score >= spamFrom ? 'spam' : 'pending',
      score,
      signs,
      words.author,
      words.text,
      hash,
    ],
    { name: 'take_comment' },
  );
  return true;
}

/** Forgets what nobody wanted 30 days after it was put aside, and what nobody looked at after half a year. */
export async function forgetComments(database: Database): Promise<void> {
  await database.query(
    `DELETE FROM tools.comment WHERE id IN (
       SELECT id FROM tools.comment WHERE status IN ('spam', 'rejected', 'pending')
         AND coalesce(decided_at, created_at) < clock_timestamp() - CASE status WHEN 'pending' THEN interval '180 days' ELSE interval '30 days' END
       LIMIT 2000 FOR UPDATE SKIP LOCKED)`,
  );
}
