/** This service on a real store, with the rooms next door played by the test. */
import { createPublicKey, randomBytes, randomUUID } from 'node:crypto';
import type { AuditEvent } from '@cloudhal/shared/audit-event';
import type { Bus } from '@cloudhal/shared/bus/bus';
import { createInProcessBus } from '@cloudhal/shared/bus/in-process-bus';
import { type CallReply, type CallRequest, call, decideApproval, presentPrincipal } from '@cloudhal/shared/contracts';
import { type Database, openDatabase } from '@cloudhal/shared/database';
import { CloudhalError } from '@cloudhal/shared/errors';
import { houseFile } from '@cloudhal/shared/house-file';
import { uuidv7 } from '@cloudhal/shared/ids';
import type { KeyValue } from '@cloudhal/shared/key-value/key-value';
import { createPostgresKeyValue } from '@cloudhal/shared/key-value/postgres-key-value';
import { createLog } from '@cloudhal/shared/log';
import { migrate } from '@cloudhal/shared/migrate';
import { type Signer, signPrincipal, type Verifier } from '@cloudhal/shared/permit';
import type { Principal } from '@cloudhal/shared/policy';
import { generateSigner } from '@cloudhal/shared/secrets';
import { testDatabase } from '@cloudhal/shared/testing/test-database';
import type { Static } from 'typebox';
import { type Deps, type Settings, start } from '../service.ts';
import { anAgent, aPerson } from './facts.ts';
import { openToolRooms, type ToolRooms } from './tool-rooms.ts';

type Request = Static<typeof CallRequest>;
type Reply = Static<typeof CallReply>;
export type Question = Extract<Reply, { kind: 'approval_required' }>['approval'];
type Asking = Partial<Omit<Request, 'principal'>> & { principal?: Principal; timeoutMs?: number };

export type House = {
  bus: Bus;
  /** As the role that migrates. */
  database: Database;
  keyValue: KeyValue;
  rooms: ToolRooms;
  /** Who the gateway says is here, by id. */
  present: Map<string, Principal>;
  /** It answers no more. */
  withoutGateway(): Promise<void>;
  gateway: Signer;
  policy: Signer;
  deps: Deps;
  token(principal: Principal): string;
  /** One round of a call, as the gateway makes it; rejects with the coded error. */
  call(tool: string, args: Record<string, unknown>, more?: Asking): Promise<Reply>;
  /** The question that a call leads to. */
  question(tool: string, args: Record<string, unknown>, more?: Asking): Promise<Question>;
  /** What a person says in Studio. */
  decide(id: string, decision: 'approve' | 'reject', more?: Deciding): Promise<unknown>;
  approvals(): Promise<{ id: string; state: string; [column: string]: unknown }[]>;
  /** The record so far, oldest first. */
  record(type?: string): Promise<AuditEvent[]>;
  stateOf(id: string): Promise<string | undefined>;
  stop(): Promise<void>;
};
type Deciding = {
  person?: Principal;
  reason?: string;
  recentSignIn?: boolean;
  callId?: string;
  /** Who asked, as they are now: as they were, unless said otherwise; `null` where they are gone. */
  requester?: Principal | null;
};

export type HouseOptions = {
  settings?: Partial<Settings>;
  replicas?: number;
  /** One bus for the gateway and tools, one for each replica; all the same by default. */
  bus?: (service: string) => Promise<Bus>;
  events?: boolean;
};

export async function openHouse(options: HouseOptions = {}): Promise<House> {
  const store = await testDatabase();
  await migrate(store.database, 'policy', houseFile('policy-service/migrations'));
  const keyValue = await createPostgresKeyValue(store.database);
  const log = createLog('policy', { level: 'silent' });
  const shared = createInProcessBus({ log });
  const openBus = options.bus ?? (async () => shared);
  const gatewayBus = await openBus('gateway');
  const toolBus = await openBus('tools');
  const [gateway, policy] = [generateSigner().signer, generateSigner().signer];
  const permits = publicKeyOf(policy);
  const rooms = await openToolRooms(toolBus, permits, {
    ...(options.events !== undefined && { events: options.events }),
  });
  const kek = randomBytes(32);
  const databases: Database[] = [];
  const buses = new Set<Bus>([gatewayBus, toolBus]);
  const stops: (() => Promise<void>)[] = [];
  let deps: Deps | undefined;
  for (let i = 0; i < (options.replicas ?? 1); i++) {
    const database = openDatabase({ url: store.urlAs('policy'), name: 'policy' });
    databases.push(database);
    const bus = await openBus('policy');
    buses.add(bus);
    deps = {
      bus,
      database,
      keyValue,
      log,
      signer: policy,
      permits,
      principals: publicKeyOf(gateway),
      kek,
      settings: options.settings ?? {},
    };
    stops.push(await start(deps));
  }
  if (deps === undefined) throw new Error('A house has at least one replica.');
  const tokens = new WeakMap<Principal, string>();
  const token = (principal: Principal) => {
    const signed = tokens.get(principal) ?? signPrincipal(principal, gateway);
    tokens.set(principal, signed);
    return signed;
  };

  const present = new Map<string, Principal>();
  const withoutGateway = await gatewayBus.answer(presentPrincipal, async ({ id }) => {
    const principal = present.get(id);
    return { ...(principal && { principal: token(principal) }) };
  });

  async function callOnce(tool: string, args: Record<string, unknown>, more: Asking = {}): Promise<Reply> {
    const { principal = anAgent, timeoutMs = 20_000, ...rest } = more;
    const query = { callId: uuidv7(), tool, arguments: args, canElicit: true, ...rest, principal: token(principal) };
    return await gatewayBus.request(call, query, { timeoutMs });
  }

  return {
    bus: gatewayBus,
    database: store.database,
    keyValue,
    rooms,
    present,
    withoutGateway,
    gateway,
    policy,
    deps,
    token,
    call: callOnce,
    async question(tool, args, more) {
      const reply = await callOnce(tool, args, more);
      if (reply.kind !== 'approval_required') throw new Error(`${tool} ran.`);
      return reply.approval;
    },
    async decide(id, decision, { person = aPerson, requester, ...more } = {}) {
      const query = { callId: uuidv7(), id, decision, recentSignIn: true, ...more, principal: token(person) };
      const [asked] = await store.database.query('SELECT principal FROM policy.approval WHERE id = $1', [id]);
      const now: Principal | null | undefined = requester === undefined ? asked?.principal : requester;
      return gatewayBus.request(
        decideApproval,
        { ...query, ...(now && { requester: token(now) }) },
        { timeoutMs: 20_000 },
      );
    },
    approvals: () => store.database.query('SELECT * FROM policy.approval ORDER BY created_at, id'),
    async record(type) {
      const rows = await store.database.query<{ event: AuditEvent }>('SELECT event FROM policy.outbox ORDER BY seq');
      return rows.map(({ event }) => event).filter((event) => type === undefined || event.type === type);
    },
    async stateOf(id) {
      const [row] = await store.database.query('SELECT state FROM policy.approval WHERE id = $1', [id]);
      return row?.state;
    },
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
      await Promise.all([...buses].map((bus) => bus.close()));
      await Promise.all(databases.map((database) => database.close()));
      await keyValue.close();
      await store.drop();
    },
  };
}

function publicKeyOf({ kid, privateKey }: Signer): Verifier {
  return new Map([[kid, createPublicKey(privateKey)]]);
}

/** An agent with a key of its own, so that tests do not taint or fill each other. */
export function anAgentOfItsOwn(more: Partial<Principal> = {}): Principal {
  const keyId = randomUUID();
  return { ...anAgent, id: `agent:${keyId}`, keyId, ...more };
}

/** What a client sends when its person said yes. */
export function yes({ requestState }: Pick<Question, 'requestState'>) {
  return { answer: { state: requestState, action: 'accept' as const, confirm: true } };
}

/** The code that something was refused with. */
export async function codeOf(work: Promise<unknown>): Promise<string> {
  try {
    const reply = (await work) as { kind?: string };
    return `no error: ${reply.kind}`;
  } catch (error) {
    if (error instanceof CloudhalError) return error.code;
    throw error;
  }
}

/** Waits until something holds; the test's own timeout ends it. */
export async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 20));
}
