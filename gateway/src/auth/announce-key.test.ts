import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { answerCalls, callerOf, callTool } from '../testing/mcp.ts';
import { type Replica, startWorld, type World } from '../testing/world.ts';

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
