import { setTimeout as sleep } from 'node:timers/promises';
import { type Database, openDatabase } from '@cloudhal/shared/database';
import { uuidv7 } from '@cloudhal/shared/ids';
import { startTcpProxy, type TcpProxy } from '@cloudhal/shared/testing/tcp-proxy';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openTestRunner, type TestRunner } from './testing/test-runner.ts';

let runner: TestRunner;
let proxy: TcpProxy;
let database: Database;
/** What happens to the network just before a change is sent to be committed. */
let beforeCommit: () => void = () => undefined;

beforeAll(async () => {
  runner = await openTestRunner();
  proxy = await startTcpProxy(runner.url);
  database = openDatabase({ url: proxy.url, name: 'tools', statementTimeoutMs: 400 });
  runner.deps.database = {
    query: (text, values, options) => database.query(text, values, options),
    listen: (channel, handler) => database.listen(channel, handler),
    notify: (channel, payload) => database.notify(channel, payload),
    close: () => database.close(),
    transaction: (work) => database.transaction(work),
    atomic: (statements) => {
      beforeCommit();
      return database.atomic(statements);
    },
  };
});
beforeEach(async () => {
  beforeCommit = () => undefined;
  // The connection for changes is open before its network breaks.
  await database.atomic([{ text: 'SELECT 1' }]);
});
afterAll(async () => {
  await database.close();
  await proxy.close();
  await runner.drop();
});

const create = (title: string, callId: string) =>
  runner.call('create_entry', { type: 'article', fields: { title } }, { callId });

/** For a while, then the network is back. */
function trouble(mode: TcpProxy['mode'], ms: number): void {
  proxy.mode = mode;
  setTimeout(() => {
    proxy.mode = 'pass';
  }, ms);
}

describe('a change whose commit is not answered', () => {
  it('is answered as done when the store did it', async () => {
    const before = await runner.check();
    const callId = uuidv7();
    beforeCommit = () => trouble('blackhole-down', 500);
    const result = await create('Commit answered late', callId);
    expect(result).toMatchObject({ changed: true, data: { slug: 'commit-answered-late' } });
    expect((await runner.check()).seq).toBe(before.seq + 1);
    expect((await runner.record(callId)).map((line) => [line.type, line.outcome?.state])).toEqual([
      ['attempted', undefined],
      ['outcome', 'succeeded'],
    ]);
  });

  it('is answered as not done when the store never got it, and then never is', async () => {
    const before = await runner.check();
    const callId = uuidv7();
    beforeCommit = () => trouble('blackhole', 500);
    const error = await runner.refused(
      'create_entry',
      { type: 'article', fields: { title: 'Never arrived' } },
      { callId },
    );
    expect(error).toMatchObject({ code: 'storage_unavailable', applied: 'no' });
    await sleep(300);
    expect(await runner.check()).toEqual(before);
    expect((await runner.record(callId)).map((line) => [line.type, line.outcome?.state])).toEqual([
      ['attempted', undefined],
      ['outcome', 'aborted'],
    ]);
    beforeCommit = () => undefined;
    expect(
      (await runner.refused('create_entry', { type: 'article', fields: { title: 'Never arrived' } }, { callId })).code,
    ).toBe('deadline_exceeded_not_applied');
  });

  it('is said to be unknown only while the store cannot be asked, with the call id to ask later', async () => {
    const callId = uuidv7();
    beforeCommit = () => {
      proxy.mode = 'blackhole';
    };
    const error = await runner.refused('create_entry', { type: 'article', fields: { title: 'Unknown' } }, { callId });
    proxy.mode = 'pass';
    expect(error).toMatchObject({ code: 'outcome_unknown', applied: 'unknown', call_id: callId });
  });
});

describe('a store that is away', () => {
  it('refuses what would change something, and what would be read, and serves again when it is back', async () => {
    await create('Before', uuidv7());
    proxy.mode = 'refuse';
    proxy.cut();
    const change = await runner.refused('create_entry', { type: 'article', fields: { title: 'Away' } });
    const read = await runner.refused('get_entry', { entry: 'before' });
    proxy.mode = 'pass';
    expect(change).toMatchObject({ code: 'storage_unavailable', applied: 'no', retryable: true });
    expect(read).toMatchObject({ code: expect.stringMatching(/^(?:storage|audit)_unavailable$/), applied: 'no' });
    await expect(runner.call('get_entry', { entry: 'before' })).resolves.toMatchObject({ data: { slug: 'before' } });
    expect(await runner.view().find('entry', 'away')).toBeUndefined();
  });
});
