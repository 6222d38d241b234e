import { createLog } from '@cloudhal/shared/log';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startWorld, type World } from '../testing/world.ts';
import { createFailedAttempts } from './failed-attempts.ts';

let world: World;

beforeAll(async () => {
  world = await startWorld('postgres');
});
afterAll(() => world.stop());

it('refused credentials are recorded once the store is back, in a bounded number of lines', async () => {
  const failures = createFailedAttempts({ database: world.owner, log: createLog('test', { level: 'silent' }) });
  const attempt = { credential: 'agent key', network: '10.0.0.0/24' };
  await world.owner.query('ALTER TABLE gateway.outbox RENAME TO outbox_away');
  for (let i = 0; i < 3; i++) failures.add({ ...attempt, prefix: 'guessed' });
  await failures.flush();
  for (let i = 0; i < 1_000; i++) failures.add({ ...attempt, prefix: `key ${i}` });
  await failures.flush();
  await world.owner.query('ALTER TABLE gateway.outbox_away RENAME TO outbox');
  failures.add({ ...attempt, prefix: 'guessed' });
  await failures.stop();

  const lines = (await world.events('auth.failed')).map(({ details }) => details);
  expect(lines).toContainEqual({ ...attempt, prefix: 'guessed', count: 4 });
  expect(lines).toContainEqual({ credential: 'agent key', prefix: 'others', network: 'others', count: 501 });
  expect(lines).toHaveLength(501);
});
