import { createHmac, randomBytes } from 'node:crypto';
import type { AuditEvent } from '@cloudhal/shared/audit-event';
import type { Queryable } from '@cloudhal/shared/database';

// The chain holds a person's name only as a keyed hash; the name stands in a table of its own. So it can be erased, with its
// salt, and the chain still verifies.

type NameRow = { subject: string; token: string; salt: Buffer; name: string };

/** The events with people's names replaced by tokens; names that are new are stored. */
export async function hideNames(tx: Queryable, events: readonly AuditEvent[]): Promise<AuditEvent[]> {
  const named = events.filter(isNamedPerson);
  if (named.length === 0) return [...events];
  const subjects = [...new Set(named.map((event) => event.actor.id))];
  const known = await tx.query<NameRow>(
    'SELECT subject, token, salt, name FROM audit.name WHERE subject = ANY($1)',
    [subjects],
    { name: 'audit-names' },
  );
  const added: NameRow[] = [];
  const hidden = events.map((event) => {
    if (!isNamedPerson(event)) return event;
    const { id: subject, name } = event.actor;
    const rows = [...known, ...added].filter((row) => row.subject === subject);
    let row = rows.find((row) => row.name === name);
    if (row === undefined) {
      const salt = rows[0]?.salt ?? randomBytes(32);
      row = { subject, token: tokenOf(salt, name), salt, name };
      added.push(row);
    }
    return { ...event, actor: { ...event.actor, name: row.token } };
  });
  await storeNames(tx, added);
  return hidden;
}

async function storeNames(tx: Queryable, rows: readonly NameRow[]): Promise<void> {
  if (rows.length === 0) return;
  await tx.query(
    `INSERT INTO audit.name (subject, token, salt, name) SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[], $4::text[])
     ON CONFLICT DO NOTHING`,
    [rows.map((r) => r.subject), rows.map((r) => r.token), rows.map((r) => r.salt), rows.map((r) => r.name)],
  );
}

/** The events with the names that their tokens stand for; an erased name, or one that was changed, is left out. */
export async function showNames(database: Queryable, events: readonly AuditEvent[]): Promise<AuditEvent[]> {
  const tokens = [...new Set(events.filter(isNamedPerson).map((event) => event.actor.name))];
  if (tokens.length === 0) return [...events];
  const rows = await database.query<NameRow>(
    'SELECT subject, token, salt, name FROM audit.name WHERE token = ANY($1)',
    [tokens],
  );
  const names = new Map(rows.filter(isAsAppended).map((row) => [nameKey(row.subject, row.token), row.name]));
  return events.map((event) => {
    if (!isNamedPerson(event)) return event;
    const { name: token, ...actor } = event.actor;
    const name = names.get(nameKey(actor.id, token));
    return { ...event, actor: name === undefined ? actor : { ...actor, name } };
  });
}

/** The subjects and tokens whose name is not the one that the token was made from. */
export async function changedNames(database: Queryable): Promise<ReadonlySet<string>> {
  const rows = await database.query<NameRow>('SELECT subject, token, salt, name FROM audit.name');
  return new Set(rows.filter((row) => !isAsAppended(row)).map(({ subject, token }) => nameKey(subject, token)));
}

/** What a person's name is found by. */
export function nameKey(subject: string, token: string | undefined): string {
  return `${subject}\n${token}`;
}

function isAsAppended({ token, salt, name }: NameRow): boolean {
  return tokenOf(salt, name) === token;
}

function isNamedPerson(event: AuditEvent): event is AuditEvent & { actor: { name: string } } {
  return event.actor.type === 'person' && event.actor.name !== undefined;
}

function tokenOf(salt: Buffer, name: string): string {
  return `name:${createHmac('sha256', salt).update(name).digest('base64url')}`;
}
