import { createLog } from '@cloudhal/shared/log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerCalls, callerOf, callTool } from '../testing/mcp.ts';
import { type Replica, startWorld, type World } from '../testing/world.ts';
import { createKeyAnnouncer } from './announce-key.ts';
import { personId } from './check-key.ts';
import { createMembers } from './members.ts';

let world: World;
let replica: Replica;

beforeAll(async () => {
  world = await startWorld('postgres');
  replica = await world.replica();
  await answerCalls(replica.bus, world.verifier);
});
afterAll(() => world.stop());

describe('a key that is revoked while the KeyValue is away', () => {
  it('is refused at once, and the other services are told as soon as it is back', async () => {
    const { key, secret } = await replica.createAgentKey({ name: 'robot', scopes: '*' });
    expect((await callerOf(replica, secret)).keyId).toBe(key.id);
    await world.owner.query('ALTER TABLE shared.key_value RENAME TO key_value_away');
    try {
      expect((await replica.revokeAgentKey(key.id)).state).toBe('revoked');
      expect((await callTool(replica, { authorization: `Bearer ${secret}` })).status).toBe(401);
    } finally {
      await world.owner.query('ALTER TABLE shared.key_value_away RENAME TO key_value');
    }
    const told = () => world.keyValue.getMany([`revoked:${key.id}`, `key-generation:${key.id}`]);
    await expect.poll(told, { timeout: 10_000 }).toEqual(['revoked', '2']);
  });
});

describe('a person who is removed, or whose role publishes no more', () => {
  it('is known to be so, and what they scheduled does not run', async () => {
    const { bus } = replica;
    const log = createLog('gateway', { level: 'silent' });
    const announcer = createKeyAnnouncer({ bus, database: world.owner, keyValue: world.keyValue, log });
    const members = createMembers({ database: world.owner, announcer });
    const owner = { id: 'somebody', name: 'Somebody', role: 'owner' as const };
    const { token } = await members.invite(owner, 'editor');
    const account = { name: 'Ed', email: 'ed@example.org', password: 'a long enough password' };
    const { id } = await members.accept(token, account);
    const told = () => world.keyValue.get(`revoked:${personId(id)}`);
    await members.changeRole(owner, id, 'reviewer');
    expect(await told()).toBe('revoked');
    await members.changeRole(owner, id, 'editor');
    expect(await told()).toBeUndefined();
    await members.remove(owner, id);
    expect(await told()).toBe('revoked');
    await announcer.stop();
  });
});
