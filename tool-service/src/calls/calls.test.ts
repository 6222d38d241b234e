import type { AuditEvent } from '@cloudhal/shared/audit-event';
import { createInProcessBus } from '@cloudhal/shared/bus/in-process-bus';
import { auditStream } from '@cloudhal/shared/contracts';
import { uuidv7 } from '@cloudhal/shared/ids';
import { createPostgresKeyValue } from '@cloudhal/shared/key-value/postgres-key-value';
import { createLog } from '@cloudhal/shared/log';
import { auditEvent, putInOutbox } from '@cloudhal/shared/outbox';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestSite, type TestSite } from '../testing/test-site.ts';
import { watchBacklog } from './backlog.ts';
import { createRecordRead } from './record-reads.ts';
import { resolveCall } from './resolve.ts';
import { createRevocations } from './revocations.ts';
import { startSweeper, sweep } from './sweeper.ts';

const log = createLog('tool-service', { level: 'silent' });
let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site.drop());

const line = (): AuditEvent =>
  auditEvent('tool-service', {
    type: 'read',
    call_id: uuidv7(),
    site: site.id,
    actor: { type: 'agent', id: 'agent:ada' },
  });

async function lines(callId: string | undefined): Promise<AuditEvent[]> {
  const rows = await site.database.query<{ event: AuditEvent }>(
    `SELECT event FROM tools.outbox WHERE event->>'call_id' = $1`,
    [callId],
  );
  return rows.map((row) => row.event);
}

/** An attempt whose worker is gone, with so many seconds left. */
async function attempt(seconds: number): Promise<string> {
  const callId = uuidv7();
  const {
    v: _,
    event_id: __,
    ts: ___,
    service: ____,
    tenant: _____,
    type: ______,
    ...origin
  } = { ...line(), call_id: callId };
  await site.database.query(
    `INSERT INTO tools.calls (call_id, state, site_id, tool, principal, args_hash, fingerprint, approval_id, origin, deadline)
     VALUES ($1, 'attempted', $2, 'update_entry', 'agent:ada', 'h', 'f', 'ap_1', $3, clock_timestamp() + $4::float8 * interval '1 second')`,
    [callId, site.id, JSON.stringify(origin), seconds],
  );
  return callId;
}

describe('the sweeper', () => {
  it('gives up what is past its deadline and nothing else, and writes it down once', async () => {
    const [late, inTime] = [await attempt(-2), await attempt(60)];
    const swept = await Promise.all([sweep(site.database, 1_000), sweep(site.database, 1_000)]);
    expect(swept.flat().map((row) => row.call_id)).toEqual([late]);
    expect(await lines(late)).toMatchObject([
      {
        type: 'outcome',
        call_id: late,
        site: site.id,
        outcome: { state: 'aborted', code: 'deadline_exceeded_not_applied' },
      },
    ]);
    expect(await resolveCall(site.database, late, false)).toEqual({ state: 'aborted' });
    expect(await resolveCall(site.database, inTime, false)).toEqual({ state: 'attempted' });
  });

  it('leaves a call its grace', async () => {
    const late = await attempt(-1);
    expect(await sweep(site.database, 60_000)).toEqual([]);
    expect(await resolveCall(site.database, late, false)).toEqual({ state: 'attempted' });
  });

  it('runs by itself, tells of each call with its approval, and stops', async () => {
    const late = await attempt(-10);
    const heard = new Promise<unknown[]>((resolve) => {
      const stop = startSweeper({
        database: site.database,
        log,
        everyMs: 20,
        ended: (callId, approvalId) => {
          if (callId === late) void stop().then(() => resolve([callId, approvalId]));
        },
      });
    });
    expect(await heard).toEqual([late, 'ap_1']);
  });
});

describe('the truth about a call', () => {
  it('is one, however many ask at once', async () => {
    const callId = await attempt(60);
    const heard: (string | undefined)[] = [];
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => resolveCall(site.database, callId, true, (id) => heard.push(id))),
    );
    expect(answers).toEqual(Array(6).fill({ state: 'aborted' }));
    expect(heard).toEqual(['ap_1']);
    expect(await lines(callId)).toHaveLength(1);
  });
});

describe('a line about a read', () => {
  it('goes to the stream, and to the outbox when the stream does not take it', async () => {
    const bus = createInProcessBus();
    const record = createRecordRead({ bus, database: site.database, first: 'stream' });
    const unheard = line();
    await record(unheard);
    expect(await lines(unheard.call_id)).toHaveLength(1);
    const taken: string[] = [];
    const stop = await bus.consume(
      auditStream,
      'test',
      async (batch) => void taken.push(...batch.map((item) => item.id)),
    );
    const heard = line();
    await record(heard);
    expect(taken).toEqual([heard.event_id]);
    expect(await lines(heard.call_id)).toEqual([]);
    await stop();
    await bus.close();
  });

  it('shares a message of the stream with what is recorded at the same time', async () => {
    const bus = createInProcessBus();
    const messages: string[][] = [];
    const stop = await bus.consume(auditStream, 'test', async (batch) => {
      for (const { record } of batch) messages.push([record].flat().map((event) => event.event_id));
    });
    const many = Array.from({ length: 40 }, line);
    await Promise.all(many.map(createRecordRead({ bus, database: site.database, first: 'stream' })));
    expect(messages.flat()).toEqual(many.map((event) => event.event_id));
    expect(messages.length).toBeLessThan(5);
    await stop();
    await bus.close();
  });

  it('is refused when neither takes it, and many at once are all held', async () => {
    const bus = createInProcessBus();
    const record = createRecordRead({ bus, database: site.database, first: 'outbox' });
    const many = Array.from({ length: 50 }, line);
    await Promise.all(many.map(record));
    expect((await Promise.all(many.map((event) => lines(event.call_id)))).flat()).toHaveLength(50);
    // The same line twice cannot be held.
    await expect(record(many[0]!)).rejects.toMatchObject({ code: 'audit_unavailable' });
    await expect(record(line())).resolves.toBeUndefined();
    await bus.close();
  });
});

describe('a line that the store refuses', () => {
  it('takes none of those with it that were recorded at the same time', async () => {
    const bus = createInProcessBus();
    const record = createRecordRead({ bus, database: site.database, first: 'outbox' });
    const odd = { ...line(), event_id: 'no id' };
    const ended = await Promise.allSettled([line(), line(), odd, line()].map(record));
    expect(ended.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
    await bus.close();
  });
});

describe('the backlog', () => {
  it('stops changes while the record is too far behind, and lets them go on when it caught up', async () => {
    const watched = await watchBacklog(site.database, log, { rows: 100_000, ageMs: 300_000 }, 20);
    expect(() => watched.check()).not.toThrow();
    await putInOutbox(site.database, 'tools', line());
    await site.database.query(`UPDATE tools.outbox SET created_at = now() - interval '6 minutes'`);
    await expect.poll(() => refusal(watched.check)).toBe('audit_unavailable');
    await site.database.query('UPDATE tools.outbox SET archived_at = now()');
    await expect.poll(() => refusal(watched.check)).toBeUndefined();
    await watched.stop();
    const strict = await watchBacklog(site.database, log, { rows: 0, ageMs: 300_000 });
    expect(refusal(strict.check)).toBe('audit_unavailable');
    await strict.stop();
  });
});

function refusal(check: () => void): string | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code;
  }
}

describe('what is known of a key', () => {
  const key = (keyId: string) => ({ id: `agent:${keyId}`, kind: 'agent' as const, name: 'K', keyId, keyGeneration: 2 });

  it('is what the gateway wrote: revoked, or changed since the permit', async () => {
    const keyValue = await createPostgresKeyValue(site.database);
    const revocations = createRevocations(keyValue);
    await keyValue.set('revoked:gone', '1');
    await keyValue.set('key-generation:changed', '3');
    await keyValue.set('key-generation:same', '2');
    await expect(revocations.check(key('gone'))).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(revocations.check(key('changed'))).rejects.toMatchObject({ code: 'unauthorized' });
    await expect(revocations.check(key('same'))).resolves.toBeUndefined();
    await expect(revocations.check({ id: 'person:1', kind: 'person', name: 'P' })).resolves.toBeUndefined();
    await keyValue.close();
  });

  it('refuses where it cannot be known, and asks again the next time', async () => {
    const keyValue = await createPostgresKeyValue(site.database);
    const revocations = createRevocations(keyValue);
    await site.database.query('ALTER TABLE shared.key_value RENAME TO away');
    await expect(revocations.check(key('k'))).rejects.toMatchObject({ code: 'policy_unavailable' });
    await site.database.query('ALTER TABLE shared.away RENAME TO key_value');
    await expect(revocations.check(key('k'))).resolves.toBeUndefined();
    await keyValue.close();
  });
});
