import { randomBytes } from 'node:crypto';
import { connectNatsBus } from '@cloudhal/shared/bus/nats-bus';
import { createLog } from '@cloudhal/shared/log';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { anAgentOfItsOwn, codeOf, type House, openHouse, until, yes } from '../testing/house.ts';

let house: House;
beforeAll(async () => {
  const subjectPrefix = `test_${randomBytes(6).toString('hex')}`;
  const servers = process.env.CLOUDHAL_TEST_NATS_URL ?? '';
  const log = createLog('policy', { level: 'silent' });
  house = await openHouse({ replicas: 2, bus: (service) => connectNatsBus({ servers, service, subjectPrefix, log }) });
});
afterAll(() => house.stop());

const args = { what: 'all' };
const effectsOf = (id: string) => house.rooms.effects.filter((permit) => permit.approval?.id === id).length;

describe('over NATS, with two replicas', () => {
  it('an allowed call is answered by the tool, at the gateway’s inbox', async () => {
    const reply = await house.call('update_page', { title: 'x' }, { principal: anAgentOfItsOwn() });
    expect(reply).toMatchObject({ kind: 'result', result: { changed: true } });
    expect(house.rooms.permits.at(-1)?.answerTo).toMatch(/^_INBOX_gateway\./);
  });

  it('R1: approved in Studio and accepted by the client at once, it runs once', async () => {
    for (let i = 0; i < 20; i++) {
      const principal = anAgentOfItsOwn();
      const question = await house.question('publish', args, { principal });
      const [studio, client] = await Promise.all([
        codeOf(house.decide(question.id, 'approve')),
        house.call('publish', args, { principal, ...yes(question) }),
      ]);
      expect(client.kind).toBe('result');
      expect(['no error: result', 'approval_decided']).toContain(studio);
      expect(effectsOf(question.id)).toBe(1);
    }
  });

  it('R11: a token repeated 50 times at once has one effect, and one result for all', async () => {
    const principal = anAgentOfItsOwn();
    const { id, confirmToken } = await house.question('publish', args, { principal, canElicit: false });
    house.rooms.runMs = 150;
    const replies = await Promise.all(
      Array.from({ length: 50 }, () => house.call('publish', { ...args, confirmToken }, { principal })),
    );
    house.rooms.runMs = 0;
    expect(effectsOf(id)).toBe(1);
    expect(new Set(replies.map((reply) => JSON.stringify(reply))).size).toBe(1);
    await until(async () => (await house.stateOf(id)) === 'succeeded');
  });

  it('a tool that nobody serves is refused at once, and what waits still waits', async () => {
    const principal = anAgentOfItsOwn();
    const question = await house.question('publish', args, { principal });
    await house.rooms.cut('tools');
    expect(await codeOf(house.call('update_page', { title: 'x' }, { principal }))).toBe('tool_unavailable');
    expect(await codeOf(house.call('publish', args, { principal, ...yes(question) }))).toBe('tool_unavailable');
    expect(await house.stateOf(question.id)).toBe('pending');
  });
});
