import type { EventMessage, Message, Stream } from '@cloudhal/shared/bus/bus';
import * as contracts from '@cloudhal/shared/contracts';

export const natsUsers = ['gateway', 'policy', 'tools', 'audit', 'skills'] as const;
export type NatsUser = (typeof natsUsers)[number];

type Wire =
  | {
      message: Pick<Message, 'subject'>;
      asked: NatsUser[];
      answered: NatsUser;
      /** Whose inbox the answer goes to, where the call travelled on. */
      answeredTo?: NatsUser;
    }
  | { event: Pick<EventMessage, 'subject'>; told: NatsUser[]; heard: NatsUser[] }
  | { stream: Pick<Stream, 'subject' | 'name'>; appended: NatsUser[]; consumed: NatsUser; durable: string };

const { run, events } = contracts;
const fromPeople = [
  contracts.setSiteRules,
  contracts.listApprovals,
  contracts.decideApproval,
  contracts.listElevations,
  contracts.decideElevation,
  contracts.explain,
  contracts.explainTools,
];

const recordForPeople = [
  contracts.auditQuery,
  contracts.auditActivity,
  contracts.auditExport,
  contracts.auditUsage,
  contracts.auditState,
  contracts.auditVerify,
];

/** Who says what to whom: one row for every message of the contracts. What is not here is refused by the server. */
export const wires: readonly Wire[] = [
  { message: contracts.call, asked: ['gateway'], answered: 'policy' },
  ...Object.values(run).map(
    (message) => ({ message, asked: ['policy'], answered: 'tools', answeredTo: 'gateway' }) satisfies Wire,
  ),
  ...fromPeople.map((message) => ({ message, asked: ['gateway'], answered: 'policy' }) satisfies Wire),
  { message: contracts.siteRules, asked: ['gateway', 'tools'], answered: 'policy' },
  { message: contracts.askPolicy, asked: ['tools'], answered: 'policy' },
  { message: contracts.decideScheduled, asked: ['tools'], answered: 'policy' },

  { message: contracts.catalog, asked: ['gateway', 'policy'], answered: 'tools' },
  { message: contracts.assess, asked: ['policy'], answered: 'tools' },
  { message: contracts.resolve, asked: ['gateway', 'policy'], answered: 'tools' },
  { message: contracts.sites, asked: ['gateway', 'policy'], answered: 'tools' },
  { message: contracts.createSite, asked: ['gateway'], answered: 'tools' },
  { message: contracts.sitePage, asked: ['gateway'], answered: 'tools' },
  { message: contracts.siteFeed, asked: ['gateway'], answered: 'tools' },
  { message: contracts.siteComment, asked: ['gateway'], answered: 'tools' },
  { message: contracts.siteHits, asked: ['gateway'], answered: 'tools' },
  { message: contracts.sitePreview, asked: ['gateway'], answered: 'tools' },
  { message: contracts.siteMedia, asked: ['gateway'], answered: 'tools' },
  { message: contracts.previewMedia, asked: ['gateway'], answered: 'tools' },

  { message: contracts.askAudit, asked: ['tools'], answered: 'audit' },
  ...recordForPeople.map((message) => ({ message, asked: ['gateway'], answered: 'audit' }) satisfies Wire),

  { message: contracts.listSkills, asked: ['gateway', 'tools'], answered: 'skills' },
  { message: contracts.getSkill, asked: ['gateway', 'policy'], answered: 'skills' },
  { message: contracts.readSkill, asked: ['gateway', 'tools'], answered: 'skills' },

  { message: contracts.presentPrincipal, asked: ['policy'], answered: 'gateway' },
  { message: contracts.clientAnswer('*'), asked: ['gateway'], answered: 'gateway' },

  { event: events.keysChanged, told: ['gateway'], heard: ['gateway', 'policy'] },
  { event: events.toolsChanged, told: ['tools'], heard: ['gateway', 'policy'] },
  { event: events.skillsChanged, told: ['skills'], heard: ['gateway'] },
  { event: events.resourceUpdated, told: ['tools'], heard: ['gateway'] },
  { event: events.approvalsChanged, told: ['policy'], heard: ['gateway'] },
  { event: events.elevationsChanged, told: ['policy'], heard: ['gateway'] },
  { event: events.callEnded, told: ['tools'], heard: ['policy'] },
  { event: events.auditArchived, told: ['audit'], heard: ['gateway', 'policy', 'tools'] },

  {
    stream: contracts.auditStream,
    appended: ['gateway', 'policy', 'tools'],
    consumed: 'audit',
    durable: 'audit-service',
  },
];

export type Permissions = { publish: string[]; subscribe: string[] };

/**
 * What a user may publish and subscribe to. An answer goes to the inboxes of those who may ask, and nowhere else, so no
 * reply subject can turn it into a command. There is no `allow_responses`, which would allow exactly that.
 */
export function permissionsOf(user: NatsUser): Permissions {
  const publish = new Set<string>();
  const subscribe = new Set([inboxOf(user)]);
  for (const wire of wires) {
    if ('message' in wire) {
      const { subject } = wire.message;
      if (wire.asked.includes(user)) publish.add(subject);
      if (wire.answered !== user) continue;
      // Only as a member of the service's queue group: alone it would hear what is meant for one of them.
      subscribe.add(`${subject} ${user}`);
      for (const asker of [...wire.asked, ...(wire.answeredTo ? [wire.answeredTo] : [])]) publish.add(inboxOf(asker));
      // The services framework hears who looks for services.
      subscribe.add('$SRV.>');
    } else if ('event' in wire) {
      if (wire.told.includes(user)) publish.add(wire.event.subject);
      if (wire.heard.includes(user)) subscribe.add(wire.event.subject);
    } else {
      if (wire.appended.includes(user)) publish.add(wire.stream.subject);
      if (wire.consumed === user) for (const subject of consuming(wire.stream.name, wire.durable)) publish.add(subject);
    }
  }
  return { publish: [...publish].sort(), subscribe: [...subscribe].sort() };
}

function inboxOf(user: NatsUser): string {
  return `_INBOX_${user}.>`;
}

/** Makes the stream and its one consumer where they are missing, takes batches and acknowledges them; nothing of other streams. */
function consuming(stream: string, durable: string): string[] {
  return [
    `$JS.API.STREAM.INFO.${stream}`,
    `$JS.API.STREAM.CREATE.${stream}`,
    `$JS.API.CONSUMER.INFO.${stream}.${durable}`,
    `$JS.API.CONSUMER.CREATE.${stream}.${durable}`,
    `$JS.API.CONSUMER.DURABLE.CREATE.${stream}.${durable}`,
    `$JS.API.CONSUMER.MSG.NEXT.${stream}.${durable}`,
    `$JS.ACK.${stream}.${durable}.>`,
  ];
}

/** The `authorization` block of a NATS configuration. `passwordOf` gives the value as it stands in the file, quoted or a `$VARIABLE`. */
export function natsAuthorization(passwordOf: (user: NatsUser) => string): string {
  const list = (subjects: string[]) => subjects.map((subject) => `            ${JSON.stringify(subject)}\n`).join('');
  const users = natsUsers.map((user) => {
    const { publish, subscribe } = permissionsOf(user);
    return `    {
      user: ${user}
      password: ${passwordOf(user)}
      permissions: {
        publish: {
          allow: [
${list(publish)}          ]
        }
        subscribe: {
          allow: [
${list(subscribe)}          ]
        }
      }
    }
`;
  });
  return `authorization: {\n  timeout: 5\n  users: [\n${users.join('')}  ]\n}\n`;
}

/** `deploy/compose/nats.conf`, whole. */
export function natsConfig(): string {
  return `# Made from the table in deploy/local/nats-permissions.ts; a test compares the two. For NATS 2.12 or newer.
port: 4222
# Health and figures, for this container alone.
http: "127.0.0.1:8222"
max_payload: 1048576
# A connection that hangs is given up after 15 s.
ping_interval: "5s"
ping_max: 2

jetstream: {
  store_dir: "/data/jetstream"
  max_memory_store: 67108864
  max_file_store: 4294967296
  # A record counts as stored only once it is on the disk.
  sync_interval: always
}

# CLOUDHAL_NATS_<USER>: "<password>", made by "cloudhal secrets init".
include ./nats-passwords.conf

${natsAuthorization((user) => `$CLOUDHAL_NATS_${user.toUpperCase()}`)}`;
}
