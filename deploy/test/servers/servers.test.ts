import { existsSync } from 'node:fs';
import { connect } from 'nats';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { startNats } from './nats.ts';
import { startPostgres } from './postgres.ts';
import { startRedis } from './redis.ts';

describe('servers of a test', () => {
  it('a PostgreSQL that is killed comes back with its data in the same place', async () => {
    const first = await startPostgres({ fsync: true });
    const query = async (text: string) => {
      const client = new pg.Client({ connectionString: first.url });
      await client.connect();
      const { rows } = await client.query(text);
      await client.end();
      return rows;
    };
    await query('CREATE TABLE kept AS SELECT 7 AS n');
    await first.kill('SIGKILL');
    const second = await startPostgres({ folder: first.folder, port: first.port });
    expect(await query('SELECT n FROM kept')).toEqual([{ n: 7 }]);
    await second.stop();
    expect(existsSync(first.folder)).toBe(true);
    await first.stop();
    expect(existsSync(first.folder)).toBe(false);
  });

  it('a NATS server takes a configuration and refuses whom it does not name', async () => {
    const server = await startNats({ config: 'authorization { users = [{ user: "a", password: "b" }] }' });
    await expect(connect({ servers: server.url })).rejects.toThrow(/authorization/i);
    const connection = await connect({ servers: server.url, user: 'a', pass: 'b' });
    expect(connection.info?.jetstream).toBe(true);
    await connection.close();
    await server.stop();
    expect(existsSync(server.folder)).toBe(false);
  });

  it('stopping ends even a server that is suspended', async () => {
    const server = await startRedis();
    await server.kill('SIGSTOP');
    await server.stop();
    expect(() => process.kill(server.pid, 0)).toThrow();
  });
});
