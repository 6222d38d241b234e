import { afterEach, beforeEach, describe } from 'vitest';
import { describeClosing } from './contract/closing.ts';
import { describeEventsAndRecords } from './contract/events-and-records.ts';
import { describeForwarding } from './contract/forwarding.ts';
import { describeQuestions } from './contract/questions.ts';
import type { Buses, BusWorld } from './contract/world.ts';

/** What every bus does; run against each adapter. */
export function describeBus(name: string, makeWorld: () => Promise<BusWorld>): void {
  describe(`${name}: the contract of a bus`, () => {
    const buses = {} as Buses;

    beforeEach(async () => {
      const world = await makeWorld();
      const connect = (service: string) => world.connect(service);
      Object.assign(buses, {
        world,
        gateway: await connect('gateway'),
        policy: await connect('policy'),
        tools: await connect('tools'),
      });
    });

    afterEach(async () => {
      await Promise.all([buses.gateway.close(), buses.policy.close(), buses.tools.close()]);
      await buses.world.end();
    });

    describeQuestions(buses);
    describeForwarding(buses);
    describeEventsAndRecords(buses);
    describeClosing(buses);
  });
}
