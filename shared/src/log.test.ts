import { describe, expect, it } from 'vitest';
import { createLog } from './log.ts';

function logged(write: (log: ReturnType<typeof createLog>) => void): { line: string; parsed: Record<string, unknown> } {
  const lines: string[] = [];
  write(createLog('gateway', { level: 'debug', destination: { write: (text) => lines.push(text) } }));
  const line = lines.join('');
  return { line, parsed: JSON.parse(line) };
}

const key = 'chk_live_a1b2c3d4e5_Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmE123456';
const jwt = 'eyJhbGciOiJFUzI1NiJ9.eyJjbGFpbXMiOnt9fQ.c2lnbmF0dXJl_-x';
const sealed = 'v1.k7.eyJhaWQiOiJhcF8xIn0.bWFjbWFjbWFj';

describe('the log', () => {
  it('writes one line of JSON with the service, the level and a UTC time', () => {
    const { parsed, line } = logged((log) => log.info({ port: 4321 }, 'listening'));
    expect(parsed).toMatchObject({ service: 'gateway', level: 'info', port: 4321, msg: 'listening' });
    expect(parsed.time).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
    expect(line.split('\n')).toHaveLength(2);
  });

  it.each([
    ['an agent key in a message', key, (log: ReturnType<typeof createLog>) => log.info(`refused ${key} twice`)],
    ['a Bearer header', 'abc.def-123', (log) => log.info({ headers: { authorization: 'Bearer abc.def-123' } }, 'x')],
    ['a Bearer header in text', 'abcdef123', (log) => log.info('got "Authorization: Bearer abcdef123"')],
    ['an x-api-key header', 'plainvalue', (log) => log.info({ req: { headers: { 'x-api-key': 'plainvalue' } } }, 'x')],
    ['a cookie', 's3ss10n', (log) => log.info({ headers: { cookie: 'session=s3ss10n; a=b' } }, 'x')],
    ['set-cookie in an array', 's3ss10n', (log) => log.info({ 'set-cookie': ['session=s3ss10n; HttpOnly'] }, 'x')],
    ['a cookie in text', 's3ss10n', (log) => log.info('Cookie: session=s3ss10n')],
    ['a JWT', jwt, (log) => log.info({ deep: [{ er: jwt }] }, `permit ${jwt}`)],
    ['a confirm token', sealed, (log) => log.info({ arguments: { confirmToken: sealed } }, 'x')],
    ['a confirm token in JSON inside text', sealed, (log) => log.info(JSON.stringify({ confirmToken: sealed }))],
    ['a password with a quote in it', 'pass\\"word', (log) => log.info({ password: 'pass"word' }, 'x')],
    ['a URL with a password', 'hunter2', (log) => log.info('connecting to postgres://me:hunter2@db/x')],
    ['a preview token in a URL', 'deadbeef', (log) => log.info({ url: '/preview?token=deadbeef&x=1' }, 'x')],
    ['a private key', 'MIGHAgEA', (log) => log.info({ pem: '-----BEGIN PRIVATE KEY-----\nMIGHAgEA\n-----END' }, 'x')],
    ['an error that names a key', key, (log) => log.error({ err: new Error(`bad ${key}`) }, 'failed')],
    ['the cause of an error', jwt, (log) => log.error({ err: new Error('x', { cause: new Error(jwt) }) }, 'failed')],
  ] as [string, string, (log: ReturnType<typeof createLog>) => void][])('%s is not in the line', (_, secret, write) => {
    const { line } = logged(write);
    expect(line).not.toContain(secret);
    expect(line).toContain('[redacted]');
  });

  it('what surrounds a secret stays readable', () => {
    const { parsed } = logged((log) =>
      log.info({ callId: 'c1', cookie: 'a=b', tool: 'publish' }, `key ${key} refused`),
    );
    expect(parsed).toMatchObject({ callId: 'c1', tool: 'publish', msg: 'key chk_[redacted] refused' });
  });

  it("a database error's details, which hold people's data, are left out", () => {
    const error = Object.assign(new Error('duplicate key'), { code: '23505', detail: 'Key (email)=(ann@example.org)' });
    const { line } = logged((log) => log.error({ err: error }, 'failed'));
    expect(line).not.toContain('ann@example.org');
    expect(line).toContain('23505');
  });

  it('a line break in a message cannot forge a second line', () => {
    const { line } = logged((log) => log.info('x\n{"level":"error"}\r\u001b[31m'));
    expect(line.trimEnd().split('\n')).toHaveLength(1);
  });
});
