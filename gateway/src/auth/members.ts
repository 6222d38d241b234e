import { type Database, isUniqueViolation, type Queryable } from '@cloudhal/shared/database';
import { fail } from '@cloudhal/shared/errors';
import { newId } from '@cloudhal/shared/ids';
import { auditEvent, putInOutbox } from '@cloudhal/shared/outbox';
import type { Role } from '@cloudhal/shared/policy';
import { type Static, Type } from 'typebox';
import type { Member } from './agent-keys.ts';
import type { KeyAnnouncer } from './announce-key.ts';
import { personId } from './check-key.ts';
import {
  endInvitation,
  endInvitationsBy,
  type Invitation,
  insertInvitation,
  invitationFor,
  invitationOf,
  type NewInvitation,
  type OpenInvitation,
  openInvitations,
  useInvitation,
} from './invitations.ts';

export type MemberView = Member & { email: string | null; createdAt: string };

/** What a person says of themselves when they follow an invitation. The role is the invitation's to say. */
export const Account = Type.Object(
  {
    name: Type.String({ minLength: 1, maxLength: 100, pattern: '^[^\\p{C}]*\\S[^\\p{C}]*$' }),
    email: Type.String({ format: 'email', maxLength: 254 }),
    password: Type.String({ minLength: 12, maxLength: 128 }),
  },
  { additionalProperties: false },
);
export type Account = Static<typeof Account>;

/** How the deployment names itself where nobody is signed in. */
export const operator = { id: 'operator', name: 'operator of the deployment' };

export type Members = {
  find(memberId: string): Promise<Member | undefined>;
  list(): Promise<MemberView[]>;
  /** The developer at this machine, made on first use: an owner without an account. */
  local(name: string): Promise<Member>;
  /** A link for the first owner. A newer one ends the one before. Throws `owner_exists`. */
  inviteFirstOwner(): Promise<NewInvitation>;
  /** With an address, whoever proves it is theirs may join, also by single sign-on. */
  invite(by: Member, role: Role, email?: string): Promise<NewInvitation>;
  invitations(): Promise<OpenInvitation[]>;
  /** Throws `not_found`. */
  withdrawInvitation(by: Member, id: string): Promise<void>;
  /** Throws `link_invalid`. */
  invitation(token: string): Promise<Invitation>;
  /** Makes the account and uses the link up, in one step. */
  accept(token: string, account: Account): Promise<Member>;
  /** Whether somebody who proved this address may have an account. */
  mayJoin(email: string): Promise<boolean>;
  /** Makes a member of an account that a single sign-on made; `undefined` where nobody invited them. */
  admit(user: { id: string; name: string; email: string }): Promise<Member | undefined>;
  /** Ends the invitations of whoever is no owner any more. */
  changeRole(by: Member, memberId: string, role: Role): Promise<Member>;
  /** Ends the account, its sessions, its keys and its invitations. Throws `last_owner`. */
  remove(by: Member, memberId: string): Promise<void>;
};

const ownersLock = 7_309_428_010;

export type MembersDeps = {
  database: Database;
  announcer: KeyAnnouncer;
  /** Of whoever a single sign-on knows and nobody invited; absent: they are refused. */
  defaultRole?: Role;
};

export function createMembers({ database, announcer, defaultRole }: MembersDeps): Members {
  async function invite(tx: Queryable, by: { id: string; name: string }, invitation: Invitation) {
    const made = await insertInvitation(tx, by.id, invitation);
    await record(tx, 'config.invited', by, { role: invitation.role, firstOwner: invitation.firstOwner });
    return made;
  }

  async function insertMember(tx: Queryable, { id, name, role }: Member, details: object): Promise<void> {
    await tx.query(`INSERT INTO gateway.member (id, name, role, kind) VALUES ($1, $2, $3, 'person')`, [id, name, role]);
    await record(tx, 'config.member_added', actorOf({ id, name, role }), { role, ...details });
  }

  /** What the keys of a member may do changed with the member. */
  async function touchKeys(tx: Queryable, memberId: string): Promise<string[]> {
    const keys = await tx.query<{ id: string }>(
      `UPDATE gateway.agent_key SET generation = generation + 1
       WHERE owner_id = $1 AND revoked_at IS NULL RETURNING id`,
      [memberId],
    );
    return keys.map(({ id }) => id);
  }

  /** Who is no owner any more lets nobody in. */
  async function withdrawInvitationsOf(tx: Queryable, by: Member, memberId: string): Promise<void> {
    for (const invitation of await endInvitationsBy(tx, personId(memberId))) {
      await record(tx, 'config.invitation_withdrawn', actorOf(by), { invitation });
    }
  }

  async function requireAnotherOwner(tx: Queryable, memberId: string): Promise<void> {
    const [row] = await tx.query(
      `SELECT 1 FROM gateway.member WHERE role = 'owner' AND kind = 'person' AND id <> $1 LIMIT 1`,
      [memberId],
    );
    if (!row) throw fail('last_owner');
  }

  async function locked(tx: Queryable, memberId: string): Promise<Member> {
    await tx.query('SELECT pg_advisory_xact_lock($1)', [ownersLock]);
    const member = await findIn(tx, memberId);
    if (!member || memberId === 'local') throw fail('not_found', { what: 'person', id: memberId });
    return member;
  }

  return {
    find: (memberId) => findIn(database, memberId),

    list: () =>
      database.query<MemberView>(
        `SELECT m.id, m.name, m.role, u.email, m.created_at AS "createdAt"
         FROM gateway.member m LEFT JOIN gateway."user" u ON u.id = m.id ORDER BY m.created_at, m.id`,
      ),

    async local(name) {
      const [member] = await database.query<Member>(
        `INSERT INTO gateway.member (id, name, role, kind) VALUES ('local', $1, 'owner', 'local')
         ON CONFLICT (id) DO UPDATE SET name = excluded.name RETURNING id, name, role`,
        [name],
      );
      return member!;
    },

    inviteFirstOwner: () =>
      database.transaction(async (tx) => {
        await tx.query('SELECT pg_advisory_xact_lock($1)', [ownersLock]);
        await refuseSecondFirstOwner(tx);
        await tx.query('UPDATE gateway.invitation SET expires_at = now() WHERE first_owner AND used_at IS NULL');
        return invite(tx, operator, { role: 'owner', firstOwner: true });
      }),

    invite: (by, role, email) =>
      database.transaction((tx) =>
        invite(tx, actorOf(by), { role, firstOwner: false, ...(email && { email: email.toLowerCase() }) }),
      ),

    invitations: () => openInvitations(database),

    withdrawInvitation: (by, id) =>
      database.transaction(async (tx) => {
        await endInvitation(tx, id);
        await record(tx, 'config.invitation_withdrawn', actorOf(by), { invitation: id });
      }),

    invitation: async (token) => {
      const { role, firstOwner, email } = await invitationOf(database, token, false);
      return { role, firstOwner, ...(email !== null && { email }) };
    },

    async accept(token, account) {
      await invitationOf(database, token, false);
      // Slow by design, so before the transaction; and only for who holds a link.
      const { hashPassword } = await import('better-auth/crypto');
      const password = await hashPassword(account.password);
      const email = account.email.toLowerCase();
      try {
        return await database.transaction(async (tx) => {
          await tx.query('SELECT pg_advisory_xact_lock($1)', [ownersLock]);
          const invitation = await invitationOf(tx, token, true);
          const { role, firstOwner } = invitation;
          if (firstOwner) await refuseSecondFirstOwner(tx);
          const member: Member = { id: newId('usr'), name: account.name.trim(), role };
          await tx.query(
            `INSERT INTO gateway."user" ("id", "name", "email", "emailVerified") VALUES ($1, $2, $3, $4)`,
            // The link came by mail, to this address.
            [member.id, member.name, email, invitation.email === email],
          );
          await tx.query(
            `INSERT INTO gateway."account" ("id", "accountId", "providerId", "userId", "password", "updatedAt")
             VALUES ($1, $2, 'credential', $2, $3, now())`,
            [newId('acc'), member.id, password],
          );
          await insertMember(tx, member, { firstOwner });
          await useInvitation(tx, invitation, member.id);
          return member;
        });
      } catch (error) {
        if (!isUniqueViolation(error)) throw error;
        throw fail('validation_failed', { path: 'email', expected: 'an address that nobody here has yet' });
      }
    },

    mayJoin: async (email) => defaultRole !== undefined || (await invitationFor(database, email, false)) !== undefined,

    admit: ({ id, name, email }) =>
      database.transaction(async (tx) => {
        await tx.query('SELECT pg_advisory_xact_lock($1)', [ownersLock]);
        const known = await findIn(tx, id);
        if (known) return known;
        const invitation = await invitationFor(tx, email, true);
        const role = invitation?.role ?? defaultRole;
        if (role === undefined) return undefined;
        const member: Member = { id, name: nameOf(name, email), role };
        await insertMember(tx, member, { firstOwner: false, singleSignOn: true });
        if (invitation) await useInvitation(tx, invitation, id);
        return member;
      }),

    async changeRole(by, memberId, role) {
      const { member, keys } = await database.transaction(async (tx) => {
        const before = await locked(tx, memberId);
        if (before.role === 'owner' && role !== 'owner') await requireAnotherOwner(tx, memberId);
        await tx.query('UPDATE gateway.member SET role = $2 WHERE id = $1', [memberId, role]);
        await record(tx, 'config.role_changed', actorOf(by), {
          member: personId(memberId),
          from: before.role,
          to: role,
        });
        if (role !== 'owner') await withdrawInvitationsOf(tx, by, memberId);
        return { member: { ...before, role }, keys: await touchKeys(tx, memberId) };
      });
      await Promise.all(keys.map((keyId) => announcer.announce(keyId)));
      return member;
    },

    async remove(by, memberId) {
      const keys = await database.transaction(async (tx) => {
        const { role } = await locked(tx, memberId);
        if (role === 'owner') await requireAnotherOwner(tx, memberId);
        await tx.query('DELETE FROM gateway.member WHERE id = $1', [memberId]);
        await tx.query('DELETE FROM gateway."user" WHERE "id" = $1', [memberId]);
        await record(tx, 'config.member_removed', actorOf(by), { member: personId(memberId) });
        await withdrawInvitationsOf(tx, by, memberId);
        return touchKeys(tx, memberId);
      });
      await Promise.all(keys.map((keyId) => announcer.announce(keyId)));
    },
  };
}

async function findIn(from: Queryable, memberId: string): Promise<Member | undefined> {
  const [member] = await from.query<Member>('SELECT id, name, role FROM gateway.member WHERE id = $1', [memberId]);
  return member;
}

async function refuseSecondFirstOwner(tx: Queryable): Promise<void> {
  const owners = await tx.query(`SELECT 1 FROM gateway.member WHERE role = 'owner' AND kind = 'person' LIMIT 1`);
  if (owners.length > 0) throw fail('owner_exists');
}

/** As a provider says it, without what does not show; else the address. */
function nameOf(name: string, email: string): string {
  const shown = name
    .replace(/\p{C}+/gu, ' ')
    .trim()
    .slice(0, 100);
  return shown === '' ? email : shown;
}

function actorOf({ id, name }: Member): { id: string; name: string } {
  return { id: personId(id), name };
}

async function record(tx: Queryable, type: string, by: { id: string; name: string }, details: object): Promise<void> {
  const actor = { type: by.id === operator.id ? 'operator' : 'person', id: by.id, name: by.name };
  await putInOutbox(tx, 'gateway', auditEvent('gateway', { type, site: '_deployment', actor, details }));
}
