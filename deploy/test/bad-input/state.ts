import type { Called, TestClient } from '@cloudhal/gateway/mcp/testing/clients';
import type { Database } from '@cloudhal/shared/database';
import { type ErrorBody, errorTable } from '@cloudhal/shared/errors';
import { expect } from 'vitest';
import { saysNothingOfTheInside } from '../inside.ts';

/** All that a call could have changed: sites, their nodes and snapshots, and calls that succeeded. */
export async function stateOf(database: Database): Promise<object[]> {
  return database.query(
    `SELECT s.id, s.head_seq, s.live_seq, s.draft_digest::text, s.live_digest::text,
       (SELECT count(*) FROM tools.ver v WHERE v.site_id = s.id)::int AS versions,
       (SELECT count(*) FROM tools.calls c WHERE c.site_id = s.id AND c.state = 'succeeded')::int AS calls
     FROM tools.site s ORDER BY s.id`,
  );
}

/** Does the work, and fails where any site is another one afterwards. */
export async function changingNothing<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const before = await stateOf(database);
  const result = await work();
  expect(await stateOf(database)).toEqual(before);
  return result;
}

/** The code that a call was refused with. What worked, or has no code of the table or no advice, fails the test. */
export function refusal(called: Called): string {
  expect(called.isError, called.text).toBe(true);
  const body = called.json as unknown as ErrorBody;
  expect(Object.keys(errorTable)).toContain(body.code);
  expect(body, called.text).toMatchObject({ applied: 'no', message: expect.any(String), next: expect.any(String) });
  saysNothingOfTheInside(called.text);
  return body.code;
}

export type Article = { id: string; rev: number; slug: string };

export async function writeArticle(client: TestClient, site: string, slug: string, title = slug): Promise<Article> {
  const made = await client.call('create_entry', { site, type: 'article', slug, fields: { title } });
  expect(made.isError, made.text).toBe(false);
  return { ...(made.json.data as { id: string }), rev: made.json.rev as number, slug };
}
