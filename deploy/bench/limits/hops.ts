/**
 * The way of a call by hand, in three processes: HTTP → NATS → NATS → one statement, answered straight back. Nobody is
 * asked who they are, nothing is decided, checked or recorded.
 */
import { connect, JSONCodec } from 'nats';
import pg from 'pg';
import { announce, serve } from './announce.ts';

export type Asked = { slug: string; rev?: number; text?: string };

const middle = 'hops.middle';
const end = 'hops.end';
const json = JSONCodec<Record<string, unknown>>();

/** Runs the part that the first argument names: `edge`, `middle` or `store`. */
export async function runHops(answer: (sql: pg.Client, asked: Asked) => Promise<object>): Promise<void> {
  const [, , role, nats, database] = process.argv;
  const bus = await connect({ servers: nats!, noAsyncTraces: true });
  if (role === 'edge') {
    serve((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk) => chunks.push(chunk));
      request.on('end', async () => {
        const asked = JSON.parse(Buffer.concat(chunks).toString());
        const { data } = await bus.request(middle, json.encode(asked), { timeout: 30_000 });
        const body = JSON.stringify(json.decode(data));
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) });
        response.end(body);
      });
    });
    return;
  }
  if (role === 'middle') {
    bus.subscribe(middle, {
      queue: 'hops',
      callback: (_, { data, reply }) => bus.publish(end, json.encode(json.decode(data)), { reply: reply! }),
    });
  } else {
    const clients = await Promise.all(Array.from({ length: 8 }, () => open(database!)));
    let next = 0;
    bus.subscribe(end, {
      queue: 'hops',
      callback: async (_, message) => {
        const client = clients[next++ % clients.length]!;
        message.respond(json.encode((await answer(client, json.decode(message.data) as Asked)) as never));
      },
    });
  }
  await bus.flush();
  announce({});
}

async function open(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString, pipeline: true });
  await client.connect();
  return client;
}
