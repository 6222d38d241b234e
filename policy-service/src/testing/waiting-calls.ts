import type { Principal } from '@cloudhal/shared/policy';
import { afterAll, afterEach } from 'vitest';
import { openHouse } from './house.ts';

export const publish = { what: 'all' };

/** Two replicas for the tests of a file, in which agents ask to publish and wait for a person. */
export async function openWaitingCalls() {
  const house = await openHouse({ replicas: 2 });
  afterEach(() => {
    house.rooms.assessment = {};
    house.rooms.behaviour = 'succeed';
  });
  afterAll(() => house.stop());
  return {
    house,
    asked: (principal: Principal, canElicit = true) => house.question('publish', publish, { principal, canElicit }),
    effectsOf: (id: string) => house.rooms.effects.filter((permit) => permit.approval?.id === id).length,
  };
}
