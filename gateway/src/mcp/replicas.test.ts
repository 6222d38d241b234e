import { randomUUID } from 'node:crypto';
import type { Bus } from '@cloudhal/shared/bus/bus';
import { connectNatsBus } from '@cloudhal/shared/bus/nats-bus';
import { events } from '@cloudhal/shared/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connect } from './testing/clients.ts';
import { type House, log, openHouse } from './testing/house.ts';
import { openRings, type Rings } from './testing/rings.ts';

let rings: Rings;
let house: House;

beforeAll(async () => {
  rings = await openRings(2);
  const servers = process.env.CLOUDHAL_TEST_NATS_URL ?? '';
  const options = { servers, service: 'gateway', log, subjectPrefix: `test-${randomUUID()}` };
  const buses: Bus[] = await Promise.all([connectNatsBus(options), connectNatsBus(options)]);
  house = await openHouse(rings.rings, { buses });
});
afterAll(async () => {
  await house.close();
  await rings.close();
});

describe('two replicas that meet over NATS, behind a balancer that takes turns', () => {
  it.each(['2025-11-25', 'first generation'] as const)('ask a client of %s and take its answers', async (era) => {
    const client = await connect(house.url, era, {
      person: ({ message }) => ({ action: 'accept', content: { confirm: message.includes('Publish') } }),
    });
    for (let version = 1; version <= 6; version++) {
      const { structured } = await client.call('publish', { version, era });
      expect(structured).toEqual({ data: { ran: 'publish', version, era } });
    }
    await client.close();
  });

  it('ask twenty clients at once and mix none of them up', async () => {
    const answers = await Promise.all(
      Array.from({ length: 20 }, async (_, i) => {
        const client = await connect(house.url, 'first generation', {
          as: `agent${i}`,
          person: () => ({ action: 'accept', content: { confirm: i % 2 === 0 } }),
        });
        const answered = await client.call('publish', { i });
        await client.close();
        return answered;
      }),
    );
    answers.forEach(({ structured, json }, i) => {
      if (i % 2 === 0) expect(structured).toEqual({ data: { ran: 'publish', i } });
      else expect(json).toMatchObject({ code: 'approval_rejected' });
    });
  });

  it('tell everybody who listens what changed on either', async () => {
    const clients = await Promise.all([0, 1].map(() => connect(house.url, '2026-07-28')));
    const heard = [0, 0];
    await Promise.all(
      clients.map(async ({ sdk }, index) => {
        sdk.setNotificationHandler('notifications/tools/list_changed', () => {
          heard[index]!++;
        });
        house.next = index;
        await sdk.listen({ toolsListChanged: true });
      }),
    );
    house.bus.publish(events.toolsChanged, { digest: 'other' });
    await expect.poll(() => heard).toEqual([1, 1]);
    await Promise.all(clients.map((client) => client.close()));
  });
});
