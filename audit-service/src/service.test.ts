import { createPublicKey } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bus, Stop } from '@cloudhal/shared/bus/bus';
import { createInProcessBus } from '@cloudhal/shared/bus/in-process-bus';
import { connectNatsBus } from '@cloudhal/shared/bus/nats-bus';
import { askAudit, auditQuery, auditStream, auditVerify, events } from '@cloudhal/shared/contracts';
import { type Database, openDatabase } from '@cloudhal/shared/database';
import { createLog } from '@cloudhal/shared/log';
import { argumentsHash, type Permit, signPermit, signPrincipal } from '@cloudhal/shared/permit';
import type { Principal } from '@cloudhal/shared/policy';
import { generateSigner } from '@cloudhal/shared/secrets';
import type { TestDatabase } from '@cloudhal/shared/testing/test-database';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { appendEvents } from './append.ts';
import { type Deps, start } from './service.ts';
import { checkpointKey, emptyRecord, recordDatabase, sampleEvent } from './testing.ts';
import { verifyRecord } from './verify.ts';

const log = createLog('audit-service', { level: 'silent' });
const budget = { timeoutMs: 3_000 };
const gateway = generateSigner();
const policy = generateSigner();
const verifierOf = ({ signer }: typeof gateway) => new Map([[signer.kid, createPublicKey(signer.privateKey)]]);
const { key, publicKeys } = checkpointKey();

let db: TestDatabase;
let database: Database;
let folder: string;
beforeAll(async () => {
  db = await recordDatabase();
  // As the service's own role: what it may not do it must not need.
  database = openDatabase({ url: db.urlAs('audit'), name: 'audit-service' });
  folder = await mkdtemp(join(tmpdir(), 'cloudhal-audit-'));
});
afterAll(async () => {
  await database.close();
  await db.drop();
  await rm(folder, { recursive: true });
});

function depsOf(bus: Bus): Deps {
  return {
    bus,
    database,
    log,
    principals: verifierOf(gateway),
    permits: verifierOf(policy),
    checkpointKey: key,
    checkpointDir: folder,
  };
}

describe('the service', () => {
  let bus: Bus;
  let stop: Stop;
  beforeEach(async () => {
    await emptyRecord(db.database);
    bus = createInProcessBus({ log });
    stop = await start(depsOf(bus));
  });
  afterEach(async () => {
    await stop();
    await bus.close();
    await rm(folder, { recursive: true, force: true });
  });

  test('archives what is appended and names it to the outboxes, what it cannot take included', async () => {
    const archived: string[] = [];
    await bus.subscribe(events.auditArchived, ({ eventIds }) => {
      expect(JSON.stringify(eventIds).length).toBeLessThan(7_000);
      archived.push(...eventIds);
    });
    const good = Array.from({ length: 400 }, () => sampleEvent());
    const bad = { ...sampleEvent(), ts: 'never' };
    await Promise.all([...good, bad].map((event) => bus.append(auditStream, event.event_id, event)));
    await vi.waitFor(() => expect(archived).toHaveLength(401), 5_000);
    expect(new Set(archived)).toEqual(new Set([...good, bad].map((event) => event.event_id)));
    const report = await verifyRecord(database);
    expect(report).toMatchObject({ ok: true, chains: [{ chain: '_deployment', events: 1 }, { events: 400 }] });
  });

  test('archives what came together in one message, each once, and a bad one among them alone is set aside', async () => {
    const archived: string[] = [];
    await bus.subscribe(events.auditArchived, ({ eventIds }) => void archived.push(...eventIds));
    const [first, second, third] = [sampleEvent(), sampleEvent(), sampleEvent()];
    const bad = { ...sampleEvent(), ts: 'never' };
    await bus.append(auditStream, first.event_id, [first, bad, second]);
    await bus.append(auditStream, third.event_id, [third, first]);
    await vi.waitFor(() => expect(archived).toHaveLength(5), 5_000);
    expect(new Set(archived)).toEqual(new Set([first, second, third, bad].map((event) => event.event_id)));
    const report = await verifyRecord(database);
    expect(report).toMatchObject({ ok: true, chains: [{ chain: '_deployment', events: 1 }, { events: 3 }] });
  });

  test('signs a last checkpoint when it is stopped', async () => {
    const event = sampleEvent();
    await bus.append(auditStream, event.event_id, event);
    await stop();
    const report = await verifyRecord(database, { checkpoints: folder, publicKeys });
    expect(report).toMatchObject({ ok: true, chains: [{ chain: 'site_a', checkpoints: 1 }] });
    stop = async () => undefined;
  });

  test('verifies what an earlier key signed as long as it is told of that key', async () => {
    const earlier = generateSigner('Ed25519').signer;
    const next = checkpointKey().key;
    const publicKey = createPublicKey(earlier.privateKey);
    const restart = async (deps: Partial<Deps>) => {
      await stop();
      stop = await start({ ...depsOf(bus), ...deps });
    };
    const verified = async () => {
      const { verified } = await bus.request(auditVerify, { principal: signPrincipal(owner, gateway.signer) }, budget);
      return verified;
    };
    await restart({ checkpointKey: earlier.privateKey });
    await appendEvents(database, sampleEvent());
    await restart({ checkpointKey: next, checkpointKeys: new Map([[earlier.kid, publicKey]]) });
    await appendEvents(database, sampleEvent());
    await restart({ checkpointKey: next, checkpointKeys: new Map([[earlier.kid, publicKey]]) });
    expect(await verified()).toMatchObject({ ok: true });
    expect((await verified())?.checkpoints).toBeGreaterThan(1);
    await restart({ checkpointKey: next });
    expect(await verified()).toMatchObject({ ok: false, problems: [{ chain: 'site_a', kind: 'checkpoint_sig' }] });
  });

  const owner: Principal = {
    id: 'person:ann',
    kind: 'person',
    name: 'Ann',
    role: 'owner',
    mode: 'bypass',
    scopes: '*',
    sites: '*',
    remote: true,
    personAttested: 'off',
    confirmTokenFallback: true,
  };

  test('answers a person, and records that they asked', async () => {
    const event = sampleEvent();
    await bus.append(auditStream, event.event_id, event);
    const principal = signPrincipal(owner, gateway.signer);
    for (const limit of [1, 2]) {
      const { lines } = await bus.request(auditQuery, { principal, tool: 'get_entry', limit }, budget);
      expect(lines).toEqual([{ seq: 1, event }]);
    }
    const { lines } = await bus.request(auditQuery, { principal, type: 'audit.read' }, budget);
    expect(lines.map((line) => line.event)).toMatchObject([
      { actor: { name: 'Ann' }, details: { type: 'audit.read' } },
      { actor: { name: 'Ann' }, details: { tool: 'get_entry' } },
    ]);
  });

  test('answers nobody whose signature is not that of the gateway', async () => {
    for (const principal of ['', 'x.y.z', signPrincipal(owner, policy.signer)]) {
      await expect(bus.request(auditQuery, { principal }, budget)).rejects.toMatchObject({ code: 'permit_invalid' });
    }
  });

  const permit: Permit = {
    callId: 'call',
    tool: 'list_activity',
    argumentsHash: argumentsHash({ limit: 5 }),
    principal: { id: 'agent:k1', kind: 'agent', name: 'Writer' },
    sites: '*',
    scopes: ['activity:read'],
    mode: 'plan',
    rule: 'read',
    policyVersion: '1',
    answerTo: '_INBOX_gateway.x',
  };

  test('answers list_activity under its permit', async () => {
    const event = sampleEvent();
    await bus.append(auditStream, event.event_id, event);
    const query = { permit: signPermit(permit, policy.signer), arguments: { limit: 5 } };
    const { data } = await bus.request(askAudit, query, budget);
    expect(data).toMatchObject({ activity: [{ callId: event.call_id, tool: 'get_entry' }] });
  });

  test.each([
    ['of another tool', { ...permit, tool: 'get_mode' }, { limit: 5 }, policy],
    ['for other arguments', permit, { limit: 6 }, policy],
    ['of another signer', permit, { limit: 5 }, gateway],
  ])('refuses a permit %s', async (_, claims, args, { signer }) => {
    const query = { permit: signPermit(claims, signer), arguments: args };
    await expect(bus.request(askAudit, query, budget)).rejects.toMatchObject({ code: 'permit_invalid' });
  });

  test('lets nobody read while it cannot record that', async () => {
    await db.database.query('REVOKE INSERT ON audit.event FROM cloudhal_audit');
    try {
      const principal = signPrincipal(owner, gateway.signer);
      await expect(bus.request(auditQuery, { principal }, budget)).rejects.toMatchObject({ code: 'audit_unavailable' });
    } finally {
      await db.database.query('GRANT INSERT ON audit.event TO cloudhal_audit');
    }
  });
});

test('over NATS two services take what one of them missed, each event once', async () => {
  await emptyRecord(db.database);
  const servers = process.env.CLOUDHAL_TEST_NATS_URL!;
  const subjectPrefix = `audit_test_${process.pid}_${Date.now()}`;
  const connect = (service: string) => connectNatsBus({ servers, service, log, subjectPrefix });
  const [writer, first, second] = [await connect('tools'), await connect('audit'), await connect('audit')];
  const refused = vi.spyOn(database, 'transaction');
  const stops = [await start(depsOf(first)), await start(depsOf(second))];
  const archived = new Set<string>();
  await writer.subscribe(events.auditArchived, ({ eventIds }) => {
    for (const id of eventIds) archived.add(id);
  });
  // The store refuses the first batches, so that they come again.
  await db.database.query('REVOKE INSERT ON audit.event_id FROM cloudhal_audit');
  const sent = Array.from({ length: 300 }, () => sampleEvent());
  try {
    await Promise.all(sent.map((event) => writer.append(auditStream, event.event_id, event)));
    await vi.waitFor(() => expect(refused.mock.settledResults.map(({ type }) => type)).toContain('rejected'), 5_000);
  } finally {
    await db.database.query('GRANT INSERT ON audit.event_id TO cloudhal_audit');
  }
  await vi.waitFor(() => expect(archived.size).toBe(sent.length), { timeout: 15_000, interval: 100 });
  const report = await verifyRecord(database);
  expect(report).toMatchObject({ ok: true, chains: [{ chain: 'site_a', events: sent.length }] });
  await Promise.all(stops.map((stop) => stop()));
  for (const bus of [writer, first, second]) await bus.close();
}, 30_000);
