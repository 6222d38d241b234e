import type { Database } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import { auditEvent, putInOutbox } from '@cloudhal/shared/outbox';
import { network } from '../client-address.ts';
import type { Member } from './agent-keys.ts';
import { personId } from './check-key.ts';

/** Where somebody is signed in. The token of a session is its own alone. */
export type SessionView = {
  id: string;
  createdAt: string;
  lastSeenAt: string;
  expiresAt: string;
  /** Truncated, see `network`. */
  network: string;
  userAgent: string;
};

export type Sessions = {
  /** One's own, the newest first. */
  list(memberId: string): Promise<SessionView[]>;
  /** Ends one of one's own at once; throws `not_found`. */
  end(member: Member, id: string): Promise<void>;
  /** Ends all but one. */
  endOthers(member: Member, keptId: string): Promise<void>;
};

export function createSessions(database: Database): Sessions {
  async function remove(member: Member, where: string, id: string): Promise<number> {
    return database.transaction(async (tx) => {
      const ended = await tx.query(`DELETE FROM gateway."session" WHERE "userId" = $1 AND ${where} RETURNING "id"`, [
        member.id,
        id,
      ]);
      if (ended.length > 0) {
        const actor = { type: 'person' as const, id: personId(member.id), name: member.name };
        const details = { sessions: ended.length };
        await putInOutbox(
          tx,
          'gateway',
          auditEvent('gateway', { type: 'auth.sessions_ended', site: '_deployment', actor, details }),
        );
      }
      return ended.length;
    });
  }
  return {
    async list(memberId) {
      const rows = await database.query<Omit<SessionView, 'network'> & { address: string | null }>(
        `SELECT "id", "createdAt", "updatedAt" AS "lastSeenAt", "expiresAt", coalesce("userAgent", '') AS "userAgent",
           "ipAddress" AS address
         FROM gateway."session" WHERE "userId" = $1 AND "expiresAt" > now() ORDER BY "createdAt" DESC, "id" LIMIT 100`,
        [memberId],
      );
      return rows.map(({ address, ...row }) => ({ ...row, network: network(address ?? undefined) }));
    },
    async end(member, id) {
      if ((await remove(member, '"id" = $2', id)) === 0) throw fail('not_found', { what: 'session', id });
    },
    async endOthers(member, keptId) {
      await remove(member, '"id" <> $2', keptId);
    },
  };
}
