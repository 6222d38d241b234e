/** The smallest service there can be, for the test of how a process lives and ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { request } from '../bus/bus.ts';
import { runService } from '../process.ts';

const Text = Type.Object({ text: Type.String() });
const echo = request('cloudhal.v1.test.process', Text, Text);

await runService('tools', async ({ bus, database, keyValue, log, config }) => {
  await keyValue.set('echo:pools', config.pools.join());
  const stop = await bus.answer(echo, async ({ text }) => {
    if (text === 'crash') setImmediate(() => Promise.reject(new Error('a bug')));
    await sleep(300);
    const [row] = await database.query('SELECT $1::text AS text', [text]);
    return { text: row?.text };
  });
  log.info('serving');
  return stop;
});
