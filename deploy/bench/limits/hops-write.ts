/** One SQL function: the old version ends, the new one begins, with its body, head, snapshot and outbox row. One commit. */
import { createHash, randomUUID } from 'node:crypto';
import { runHops } from './hops.ts';

await runHops(async (sql, { slug, rev, text }) => {
  const doc = JSON.stringify({ slug, text });
  const hash = createHash('sha256').update(doc).digest();
  const { rows } = await sql.query({
    name: 'write',
    text: 'SELECT hops.write($1, $2, $3, $4, $5) AS seq',
    values: [slug, rev, hash, doc, randomUUID()],
  });
  return rows[0];
});
