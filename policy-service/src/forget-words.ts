import type { Database } from '@cloudhal/shared/database';

/** Tools whose approvals show what readers wrote. */
const showsWords = ['approve_comments', 'reject_comments', 'reply_to_comment', 'delete_comment'];

/** What was shown of readers' words goes after 30 days, wherever they still are. */
export async function forgetOldWords(database: Database): Promise<void> {
  await database.query(
    `UPDATE policy.approval SET summary = summary - 'diff' WHERE id IN
       (SELECT id FROM policy.approval WHERE tool = ANY($1)
          AND summary ? 'diff' AND created_at < clock_timestamp() - interval '30 days'
        LIMIT 1000 FOR UPDATE SKIP LOCKED)`,
    [showsWords],
  );
}

/** What was shown of one comment goes before it is erased: nothing of it stays behind with those who were asked. */
export async function forgetComment(database: Database, site: string, comment: string): Promise<void> {
  await database.query(
    `UPDATE policy.approval SET summary = jsonb_set(summary, '{diff}',
       (SELECT coalesce(jsonb_agg(shown), '[]') FROM jsonb_array_elements(summary->'diff') AS shown
        WHERE strpos(shown::text, $3) = 0))
     WHERE tool = ANY($1) AND site = $2 AND jsonb_typeof(summary->'diff') = 'array' AND strpos((summary->'diff')::text, $3) > 0`,
    [showsWords, site, comment],
  );
}
