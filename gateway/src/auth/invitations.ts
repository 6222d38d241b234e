import { createHash, randomBytes } from 'node:crypto';
import type { Queryable } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import { newId } from '@cloudhal/shared/ids';
import type { Role } from '@cloudhal/shared/policy';

/** What a link is for. */
export type Invitation = { role: Role; firstOwner: boolean; email?: string };
/** `token` is the whole authority of the link; it is shown once and kept as a hash. */
export type NewInvitation = { id: string; token: string; role: Role; expiresAt: string };
/** One that nobody used yet, as owners see it. */
export type OpenInvitation = {
  id: string;
  role: Role;
  email: string | null;
  createdBy: string;
  createdAt: string;
  expiresAt: string;
};

type Row = { id: string; role: Role; firstOwner: boolean; email: string | null };

const lifetime = { firstOwner: '1 day', invitation: '7 days' };
const columns = 'id, role, first_owner AS "firstOwner", email';
const isOpen = 'used_at IS NULL AND expires_at > now()';

export async function insertInvitation(tx: Queryable, by: string, invitation: Invitation): Promise<NewInvitation> {
  const { role, firstOwner, email } = invitation;
  const token = randomBytes(32).toString('base64url');
  const id = newId('inv');
  const [row] = await tx.query<{ expiresAt: Date }>(
    `INSERT INTO gateway.invitation (id, token_hash, role, first_owner, email, created_by, expires_at)
     VALUES ($1, $2, $3, $4, $5, $6, now() + $7::interval) RETURNING expires_at AS "expiresAt"`,
    [id, hashToken(token), role, firstOwner, email ?? null, by, firstOwner ? lifetime.firstOwner : lifetime.invitation],
  );
  return { id, token, role, expiresAt: row!.expiresAt.toISOString() };
}

/** The invitation of a link; throws `link_invalid`. With `lock` nobody else uses it meanwhile. */
export async function invitationOf(from: Queryable, token: string, lock: boolean): Promise<Row> {
  const [row] = await from.query<Row>(
    `SELECT ${columns} FROM gateway.invitation WHERE token_hash = $1 AND ${isOpen} ${lock ? 'FOR UPDATE' : ''}`,
    [hashToken(token)],
  );
  if (!row) throw fail('link_invalid');
  return row;
}

/** The newest invitation that was sent to an address. */
export async function invitationFor(from: Queryable, email: string, lock: boolean): Promise<Row | undefined> {
  const [row] = await from.query<Row>(
    `SELECT ${columns} FROM gateway.invitation WHERE email = $1 AND ${isOpen}
     ORDER BY created_at DESC LIMIT 1 ${lock ? 'FOR UPDATE' : ''}`,
    [email.toLowerCase()],
  );
  return row;
}

/** Uses it up, and with it every other one that was sent to the same address. */
export async function useInvitation(tx: Queryable, { id, email }: Row, memberId: string): Promise<void> {
  await tx.query('UPDATE gateway.invitation SET used_at = now(), used_by = $2 WHERE id = $1', [id, memberId]);
  if (email === null) return;
  await tx.query(`UPDATE gateway.invitation SET expires_at = now() WHERE email = $1 AND ${isOpen}`, [email]);
}

export async function openInvitations(from: Queryable): Promise<OpenInvitation[]> {
  return from.query<OpenInvitation>(
    `SELECT id, role, email, created_by AS "createdBy", created_at AS "createdAt", expires_at AS "expiresAt"
     FROM gateway.invitation WHERE ${isOpen} AND NOT first_owner ORDER BY created_at DESC, id LIMIT 500`,
  );
}

/** Ends a link before its time; throws `not_found`. */
export async function endInvitation(tx: Queryable, id: string): Promise<void> {
  const [row] = await tx.query(
    `UPDATE gateway.invitation SET expires_at = now() WHERE id = $1 AND ${isOpen} RETURNING id`,
    [id],
  );
  if (!row) throw fail('not_found', { what: 'invitation', id });
}

/** Ends every open link that somebody made; their ids. */
export async function endInvitationsBy(tx: Queryable, by: string): Promise<string[]> {
  const ended = await tx.query<{ id: string }>(
    `UPDATE gateway.invitation SET expires_at = now() WHERE created_by = $1 AND ${isOpen} RETURNING id`,
    [by],
  );
  return ended.map(({ id }) => id);
}

function hashToken(token: string): Buffer {
  return createHash('sha256').update('cloudhal.invitation').update(token).digest();
}
