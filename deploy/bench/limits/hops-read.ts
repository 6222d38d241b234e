/** One prepared, pipelined SELECT of an entry. */
import { runHops } from './hops.ts';

await runHops(async (sql, { slug }) => {
  const { rows } = await sql.query({
    name: 'read',
    text: 'SELECT v.rev, b.doc FROM hops.ver v JOIN hops.body b ON b.hash = v.hash WHERE v.slug = $1 AND v.to_seq IS NULL',
    values: [slug],
  });
  return rows[0];
});
