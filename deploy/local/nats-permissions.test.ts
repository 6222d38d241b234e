import { readdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bus } from '@cloudhal/shared/bus/bus';
import { connectNatsBus } from '@cloudhal/shared/bus/nats-bus';
import * as contracts from '@cloudhal/shared/contracts';
import { houseFile } from '@cloudhal/shared/house-file';
import { createLog } from '@cloudhal/shared/log';
import { connect, type NatsConnection } from 'nats';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { startNats } from '../test/servers/nats.ts';
import type { TestServer } from '../test/servers/server-process.ts';
import { type NatsUser, natsAuthorization, natsConfig, natsUsers, permissionsOf, wires } from './nats-permissions.ts';

const log = createLog('test', { level: 'silent' });
const message = Buffer.from('{}');

const rooms: Record<NatsUser, string> = {
  gateway: 'gateway',
  policy: 'policy-service',
  tools: 'tool-service',
  audit: 'audit-service',
  skills: 'skills-service',
};

/** The subjects of the messages and events that the code of a room names. */
function spokenIn(room: string): string[] {
  const source = houseFile(`${room}/src`);
  const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
    (name) => name.endsWith('.ts') && !/\.test\.ts$|(^|\/)testing\//.test(name),
  );
  const subjects = new Set<string>();
  for (const text of files.map((name) => readFileSync(join(source, name), 'utf8'))) {
    const imported = [...text.matchAll(/import \{([^}]*)\} from '@cloudhal\/shared\/contracts'/g)].flatMap(
      ([, names]) => names!.split(',').map((name) => name.trim().split(' as ')[0]!),
    );
    const named = [...text.matchAll(/\bcontracts\.(\w+)/g)].map(([, name]) => name!);
    for (const name of [...imported, ...named]) for (const subject of subjectsOf(name)) subjects.add(subject);
    for (const [, name] of text.matchAll(/\bevents\.(\w+)/g)) {
      const event = contracts.events[name as keyof typeof contracts.events];
      if (event && event !== contracts.events.auditArchived) subjects.add(event.subject);
    }
  }
  return [...subjects].sort();
}

function subjectsOf(name: string): string[] {
  if (name === 'run') return Object.values(contracts.run).map(({ subject }) => subject);
  if (name === 'clientAnswer') return [contracts.clientAnswer('*').subject];
  const found = Object.entries(contracts).find(([key]) => key === name)?.[1];
  return found && 'kind' in found && found.kind === 'message' ? [found.subject as string] : [];
}

describe('the table', () => {
  test('has one row for every message, event and stream of the contracts', () => {
    const declared = Object.values({
      ...contracts,
      ...contracts.run,
      ...contracts.events,
      answer: contracts.clientAnswer('*'),
    })
      .flatMap((value) => ('subject' in value && 'kind' in value ? [value.subject as string] : []))
      .sort();
    const wired = wires.map(
      (wire) => ('message' in wire ? wire.message : 'event' in wire ? wire.event : wire.stream).subject,
    );
    expect(wired.sort()).toEqual([...new Set(declared)]);
  });

  test.each(Object.entries(rooms))('lets %s say and hear what its code names', (user, room) => {
    const allowed = wires.flatMap((wire) => {
      if ('message' in wire)
        return wire.asked.includes(user as NatsUser) || wire.answered === user ? [wire.message.subject] : [];
      // Streams, and what the outbox hears, are spoken by code that all share.
      if ('stream' in wire || wire.event === contracts.events.auditArchived) return [];
      return wire.told.includes(user as NatsUser) || wire.heard.includes(user as NatsUser) ? [wire.event.subject] : [];
    });
    for (const subject of spokenIn(room)) expect(allowed).toContain(subject);
  });

  test('lets nobody but policy-service run a tool', () => {
    for (const user of natsUsers) {
      const runs = permissionsOf(user).publish.filter((subject) => subject.startsWith('cloudhal.v1.tools.run.'));
      expect(runs).toHaveLength(user === 'policy' ? 3 : 0);
    }
  });

  test('gives no wildcard but inboxes, acknowledgements, replicas of the gateway and the services framework', () => {
    for (const user of natsUsers) {
      const { publish, subscribe } = permissionsOf(user);
      for (const subject of publish.filter((each) => /[*>]/.test(each))) {
        expect(subject).toMatch(
          /^(_INBOX_[a-z]+\.>|\$JS\.ACK\.CLOUDHAL_AUDIT\.audit-service\.>|cloudhal\.v1\.gateway\.answer\.\*)$/,
        );
      }
      for (const subject of subscribe.filter((each) => /[*>]/.test(each))) {
        expect([`_INBOX_${user}.>`, '$SRV.>', 'cloudhal.v1.gateway.answer.* gateway']).toContain(subject);
      }
    }
  });

  // `npx vitest run deploy/local/nats-permissions.test.ts -u` writes the file anew.
  test('is what the configuration for compose holds', async () => {
    await expect(natsConfig()).toMatchFileSnapshot('../compose/nats.conf');
    expect(natsConfig()).not.toMatch(/^[^#]*allow_responses/m);
  });
});

describe('a server with these permissions', () => {
  let server: TestServer;
  const connections: NatsConnection[] = [];
  const buses: Bus[] = [];

  beforeAll(async () => {
    server = await startNats({ config: natsAuthorization((user) => `"${user}-password"`) });
  });

  afterEach(async () => {
    const open = [...buses.splice(0), ...connections.splice(0)];
    await Promise.all(open.map((each) => each.close()));
  });

  afterAll(() => server?.stop());

  /** A client of any make, with a service's credentials. */
  async function client(user: NatsUser): Promise<NatsConnection> {
    const connection = await connect({
      servers: server.url,
      user,
      pass: `${user}-password`,
      inboxPrefix: `_INBOX_${user}`,
      timeout: 5_000,
    });
    connections.push(connection);
    return connection;
  }

  async function busOf(service: NatsUser): Promise<Bus> {
    const bus = await connectNatsBus({
      servers: server.url,
      service,
      user: service,
      password: `${service}-password`,
      log,
    });
    buses.push(bus);
    return bus;
  }

  /** What a user hears on a subject that it may subscribe to, as text. */
  async function listen(user: NatsUser, subject: string): Promise<{ heard: string[]; settle(): Promise<void> }> {
    const connection = await client(user);
    const heard: string[] = [];
    const callback = (_: unknown, msg: { data: Uint8Array }) => void heard.push(Buffer.from(msg.data).toString());
    connection.subscribe(subject, { callback, ...(subject.startsWith('cloudhal.') && { queue: user }) });
    await connection.flush();
    return { heard, settle: () => connection.flush() };
  }

  test('refuses who it does not know, and wrong passwords', async () => {
    for (const credentials of [
      {},
      { user: 'gateway' },
      { user: 'gateway', pass: 'policy-password' },
      { user: 'other', pass: 'x' },
    ]) {
      await expect(connect({ servers: server.url, ...credentials, reconnect: false, timeout: 5_000 })).rejects.toThrow(
        /Authorization/i,
      );
    }
  });

  test.each(natsUsers.filter((user) => user !== 'policy'))(
    'does not deliver a call that %s sends to a tool worker',
    async (user) => {
      const worker = await listen('tools', 'cloudhal.v1.tools.run.content');
      const attacker = await client(user);
      attacker.publish('cloudhal.v1.tools.run.content', message, { reply: `_INBOX_${user}.x` });
      await attacker.flush();
      // What policy-service sends afterwards arrives, so the other would have.
      const policy = await client('policy');
      policy.publish('cloudhal.v1.tools.run.content', Buffer.from('from policy'), { reply: '_INBOX_policy.x' });
      await policy.flush();
      await worker.settle();
      expect(worker.heard).toEqual(['from policy']);
    },
  );

  test('delivers to an inbox only what those say who answer its owner', async () => {
    for (const owner of natsUsers) {
      for (const sender of natsUsers.filter((user) => user !== owner)) {
        const inbox = await listen(owner, `_INBOX_${owner}.box`);
        const connection = await client(sender);
        connection.publish(`_INBOX_${owner}.box`, Buffer.from(sender));
        await connection.flush();
        await inbox.settle();
        const answers = wires.some(
          (wire) =>
            'message' in wire && wire.answered === sender && (wire.asked.includes(owner) || wire.answeredTo === owner),
        );
        expect(inbox.heard, `${sender} to ${owner}`).toEqual(answers ? [sender] : []);
      }
    }
  });

  test.each(natsUsers)('lets %s hear neither the inboxes of others nor their questions', async (user) => {
    const connection = await client(user);
    const foreign = natsUsers
      .filter((other) => other !== user)
      .flatMap((other) => [`_INBOX_${other}.>`, `cloudhal.v1.${other}.>`])
      .concat('>', '$JS.>', '_INBOX.>', 'cloudhal.>', 'cloudhal.v1.audit.events');
    const refused = await Promise.all(
      foreign.map((subject) =>
        connection.subscribe(subject).closed.then(
          () => true,
          () => true,
        ),
      ),
    );
    expect(refused).toEqual(foreign.map(() => true));
  });

  test('lets a worker take questions only as a member of its group', async () => {
    const connection = await client('tools');
    await connection.subscribe('cloudhal.v1.tools.run.content').closed.catch(() => undefined);
    const member = connection.subscribe('cloudhal.v1.tools.run.content', { queue: 'tools' });
    await connection.flush();
    expect(member.isClosed()).toBe(false);
  });

  test('does not deliver an answer that a naive worker sends where the asker points it', async () => {
    const naive = await client('tools');
    naive.subscribe('cloudhal.v1.tools.sites', { queue: 'tools', callback: (_, msg) => void msg.respond(message) });
    await naive.flush();
    const victims = await Promise.all([
      listen('policy', 'cloudhal.v1.policy.call'),
      listen('tools', 'cloudhal.v1.tools.run.content'),
      listen('skills', '_INBOX_skills.x'),
      listen('audit', '_INBOX_audit.y'),
    ]);
    const attacker = await client('gateway');
    for (const reply of [
      'cloudhal.v1.policy.call',
      'cloudhal.v1.tools.run.content',
      '_INBOX_skills.x',
      '$JS.API.STREAM.DELETE.CLOUDHAL_AUDIT',
    ]) {
      attacker.publish('cloudhal.v1.tools.sites', message, { reply });
    }
    // The honest question after them is answered, so the others had been as well.
    await attacker.request('cloudhal.v1.tools.sites', message, { timeout: 5_000 });
    await naive.flush();
    for (const victim of victims) {
      await victim.settle();
      expect(victim.heard).toEqual([]);
    }
  });

  test('and the bus itself answers no subject that is not an inbox, even one its user may publish to', async () => {
    const policy = await busOf('policy');
    let answered = 0;
    const rules = {
      smallPublishNodes: 5,
      personAttested: 'off',
      confirmTokenFallback: true,
      taintMinutes: 30,
      fourEyes: false,
    } as const;
    await policy.answer(contracts.siteRules, async () => {
      answered++;
      return rules;
    });
    const worker = await listen('tools', 'cloudhal.v1.tools.run.content');
    const attacker = await client('gateway');
    const question = Buffer.from('{"site":"st_1"}');
    attacker.publish(contracts.siteRules.subject, question, { reply: 'cloudhal.v1.tools.run.content' });
    await attacker.request(contracts.siteRules.subject, question, { timeout: 5_000 });
    await worker.settle();
    expect(worker.heard).toEqual([]);
    expect(answered).toBe(1);
  });

  test('lets the services do what they are for', async () => {
    const buses = {
      gateway: await busOf('gateway'),
      tools: await busOf('tools'),
      audit: await busOf('audit'),
      skills: await busOf('skills'),
    };
    await buses.tools.answer(contracts.sites, async () => ({ sites: [] }));
    expect(await buses.gateway.request(contracts.sites, {}, { timeoutMs: 5_000 })).toEqual({ sites: [] });

    const heard = new Promise((resolve) =>
      buses.gateway.subscribe(contracts.events.skillsChanged, resolve).then(() => {
        buses.skills.publish(contracts.events.skillsChanged, { digest: 'd' });
      }),
    );
    expect(await heard).toEqual({ digest: 'd' });

    const archived: string[] = [];
    const stored = new Promise<void>((resolve) => {
      void buses.audit
        .consume(contracts.auditStream, 'audit-service', async (batch) => {
          archived.push(...batch.map(({ id }) => id));
          resolve();
        })
        .then(() => buses.tools.append(contracts.auditStream, 'event-1', { event_id: 'event-1' } as never));
    });
    await stored;
    expect(archived).toEqual(['event-1']);
  });

  test('lets nobody but audit-service touch the stream of the record', async () => {
    for (const user of ['gateway', 'policy', 'tools', 'skills'] as const) {
      const connection = await client(user);
      for (const api of ['STREAM.INFO', 'STREAM.DELETE', 'STREAM.PURGE', 'STREAM.MSG.GET', 'CONSUMER.MSG.NEXT']) {
        const subject = `$JS.API.${api}.CLOUDHAL_AUDIT${api.startsWith('CONSUMER') ? '.audit-service' : ''}`;
        await expect(connection.request(subject, message, { timeout: 2_000 })).rejects.toThrow(
          /Permissions Violation/i,
        );
      }
    }
    const audit = await client('audit');
    for (const api of ['STREAM.DELETE', 'STREAM.PURGE', 'STREAM.MSG.GET', 'CONSUMER.DELETE']) {
      await expect(audit.request(`$JS.API.${api}.CLOUDHAL_AUDIT`, message, { timeout: 2_000 })).rejects.toThrow(
        /Permissions Violation/i,
      );
    }
  });
});

test('the configuration for compose takes the passwords from the file beside it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cloudhal-nats-'));
  const passwords = natsUsers.map((user) => `CLOUDHAL_NATS_${user.toUpperCase()}: "-1e5${user}_"\n`).join('');
  await writeFile(join(folder, 'nats-passwords.conf'), passwords);
  // NATS 2.9, which the tests must do with, does not know this setting; the place comes from the command line.
  const config = natsConfig().replace('sync_interval: always', '').replace('store_dir: "/data/jetstream"', '');
  const server = await startNats({ folder, config });
  try {
    const connection = await connect({ servers: server.url, user: 'audit', pass: '-1e5audit_', timeout: 5_000 });
    expect(connection.info).toMatchObject({ jetstream: true, max_payload: 1_048_576, auth_required: true });
    await connection.close();
  } finally {
    await server.stop();
    await rm(folder, { recursive: true, force: true });
  }
});
