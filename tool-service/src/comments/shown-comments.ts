import type { View } from '../graph/view.ts';
import type { ShownComment } from '../render/comments.ts';

/** So many are shown under one entry, the oldest first. */
const most = 500;

type Row = {
  id: string;
  parent: string | null;
  official: boolean;
  status: string;
  date: string;
  author: string | null;
  text: string | null;
};

/** What readers see under an entry: what a person approved, each with the site's answers. */
export async function shownComments(view: View, entry: string): Promise<ShownComment[]> {
  const rows = await view.rows<Row>(
    `SELECT c.id, c.parent, c.official, c.status, to_char(c.created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS date, w.author, w.text
     FROM tools.comment c LEFT JOIN tools.comment_words w ON w.comment_id = c.id
     WHERE c.site_id = $1 AND c.node_id = $2 AND c.status IN ('approved', 'erased') ORDER BY c.id LIMIT ${most}`,
    [entry],
  );
  const shown = (row: Row, answers: ShownComment[]): ShownComment => ({
    id: row.id,
    official: row.official,
    date: row.date,
    ...(row.text !== null && { author: row.author ?? '', text: row.text }),
    answers,
  });
  return (
    rows
      .filter((row) => row.parent === null)
      .map((row) => {
        const answers = rows.filter((answer) => answer.parent === row.id && answer.text !== null);
        return shown(
          row,
          answers.map((answer) => shown(answer, [])),
        );
      })
      // Of what was erased a place is left only where something was said to it.
      .filter(({ text, answers }) => text !== undefined || answers.length > 0)
  );
}
