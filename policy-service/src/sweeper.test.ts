import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { forgetComment } from './forget-words.ts';
import { taint } from './taint-store.ts';
import { anAgentOfItsOwn, type House, openHouse, until } from './testing/house.ts';

let house: House;
beforeAll(async () => {
  house = await openHouse({ settings: { sweepEveryMs: 50 } });
});
afterAll(() => house.stop());

/** An approval of a tool that was asked so many days ago, with words of a reader in its differences. */
async function asked(tool: string, days: number): Promise<string> {
  const { id } = await house.question('publish', { what: 'x' }, { principal: anAgentOfItsOwn() });
  await house.database.query(
    `UPDATE policy.approval SET tool = $2, created_at = created_at - $3 * interval '1 day',
       summary = summary || '{"diff": [{"title": "cm_1", "values": [{"member": "text", "after": "555-0199"}]}]}' WHERE id = $1`,
    [id, tool, days],
  );
  return id;
}
const shown = async (id: string) =>
  JSON.stringify((await house.approvals()).find((approval) => approval.id === id)?.summary);

describe('a key that was revoked while nobody listened', () => {
  it('is found among any number of keys that have something open', async () => {
    const keys = Array.from({ length: 8 }, () => anAgentOfItsOwn());
    const asked = await Promise.all(keys.map((principal) => house.question('publish', { what: 'x' }, { principal })));
    await house.database.query(
      `INSERT INTO policy.elevation (id, call_id, principal_id, principal, key_id, mode, minutes, reason, state, ends_at)
       SELECT 'elv_' || n, 'call-' || n, 'agent:' || n, '{}', lpad(n::text, 4, '0'), 'auto', 5, 'x', 'pending',
         now() + interval '1 day' FROM generate_series(1, 2000) n`,
    );
    for (const { keyId } of keys) await house.keyValue.set(`revoked:${keyId}`, '1');
    for (const { id } of asked) await until(async () => (await house.stateOf(id)) === 'revoked');
    await house.database.query('DELETE FROM policy.elevation');
  });
});

describe('what readers wrote', () => {
  it('is forgotten 30 days after a person was asked about it, and what was asked otherwise is kept', async () => {
    const [old, young, other] = [
      await asked('approve_comments', 31),
      await asked('reject_comments', 29),
      await asked('publish', 31),
    ];
    await until(async () => !(await shown(old)).includes('555-0199'));
    expect(await shown(old)).toContain('title');
    expect(await shown(young)).toContain('555-0199');
    expect(await shown(other)).toContain('555-0199');
  });

  it('is forgotten with the comment, and what was shown of others is kept', async () => {
    const [gone, other] = [await asked('approve_comments', 1), await asked('reject_comments', 1)];
    await house.database.query(
      `UPDATE policy.approval SET summary = jsonb_set(summary, '{diff,0,title}', '"cm_2"') WHERE id = $1`,
      [other],
    );
    const { site } = (await house.approvals()).find(({ id }) => id === gone)!;
    await forgetComment(house.database, String(site), 'cm_1');
    expect(await shown(gone)).not.toContain('555-0199');
    expect(await shown(other)).toContain('555-0199');
  });

  it('leaves no taint behind once that is over', async () => {
    const [over, lasting] = [anAgentOfItsOwn(), anAgentOfItsOwn()];
    await taint(house.database, over, 30);
    await taint(house.database, lasting, 30);
    await house.database.query(`UPDATE policy.taint SET until = now() - interval '1 second' WHERE key = $1`, [
      over.keyId,
    ]);
    const keys = async () =>
      (await house.database.query('SELECT key FROM policy.taint')).map(({ key }) => key as string);
    await until(async () => !(await keys()).includes(over.keyId!));
    expect(await keys()).toContain(lasting.keyId);
  });
});
