import type { Socket } from 'node:net';
import type pg from 'pg';

const gathering = new WeakSet<Socket>();

/**
 * Statements sent within one turn of the event loop leave in one write: on a busy machine the system calls are most of what
 * sending costs.
 */
export function gatherWrites(client: pg.ClientBase): void {
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  if (gathering.has(stream)) return;
  gathering.add(stream);
  stream.cork();
  process.nextTick(() => {
    gathering.delete(stream);
    stream.uncork();
  });
}
