import { describe, expect, it } from 'vitest';
import { describeVariables, readConfig, serviceNames } from './config.ts';

const policy = {
  CLOUDHAL_DATABASE_URL: 'postgres://cloudhal_policy:x@db/cloudhal',
  CLOUDHAL_NATS_URL: 'nats://a:4222, nats://b:4222',
  CLOUDHAL_KEK_FILE: '/run/secrets/kek',
  CLOUDHAL_PERMIT_KEY_FILE: '/run/secrets/permit.jwk',
  CLOUDHAL_PERMIT_JWKS_FILE: '/run/secrets/permit-jwks.json',
  CLOUDHAL_PRINCIPAL_JWKS_FILE: '/run/secrets/principal-jwks.json',
};

describe('the environment of a service', () => {
  it('becomes typed settings, with defaults for what is not said', () => {
    const config = readConfig('policy', { ...policy, CLOUDHAL_CONFIRM_TOKEN_FALLBACK: 'false', PATH: '/bin' });
    const natsUrl: string[] = config.natsUrl;
    const kekFile: string = config.kekFile;
    expect({ natsUrl, kekFile }).toEqual({ natsUrl: ['nats://a:4222', 'nats://b:4222'], kekFile: '/run/secrets/kek' });
    expect(config).toMatchObject({
      healthPort: 9400,
      personAttested: 'off',
      confirmTokenFallback: false,
      logLevel: 'info',
    });
    expect(config.redisUrl).toBeUndefined();
  });

  it('lacks nothing locally', () => {
    expect(readConfig('local', {})).toMatchObject({ port: 4321, host: '127.0.0.1', ratePerMinute: 60, rateBurst: 20 });
  });

  it('names everything that a service lacks, in one error', () => {
    const attempt = () => readConfig('gateway', {});
    for (const name of [
      'DATABASE_URL',
      'NATS_URL',
      'PUBLIC_URL',
      'KEY_PEPPER_FILE',
      'SESSION_SECRET_FILE',
      'PRINCIPAL_KEY_FILE',
    ]) {
      expect(attempt).toThrow(`CLOUDHAL_${name} is missing`);
    }
    expect(attempt).not.toThrow(/PERMIT_KEY/);
  });

  it('takes an empty value for a missing one', () => {
    expect(() => readConfig('policy', { ...policy, CLOUDHAL_KEK_FILE: '' })).toThrow('CLOUDHAL_KEK_FILE is missing');
    expect(readConfig('policy', { ...policy, CLOUDHAL_REDIS_URL: '' }).redisUrl).toBeUndefined();
  });

  it.each([
    ['CLOUDHAL_PORT', '70000', 'a port'],
    ['CLOUDHAL_PORT', '43 21', 'a port'],
    ['CLOUDHAL_PORT', '-1', 'a port'],
    ['CLOUDHAL_RATE_BURST', '0', 'a whole number from 1'],
    ['CLOUDHAL_RATE_PER_MINUTE', '1.5', 'a whole number'],
    ['CLOUDHAL_CONFIRM_TOKEN_FALLBACK', 'yes', '"true" or "false"'],
    ['CLOUDHAL_PERSON_ATTESTED', 'always', 'one of off, always-person, all'],
    ['CLOUDHAL_POOLS', 'content,rendering', 'one of content, media, render'],
    ['CLOUDHAL_ALLOWED_ORIGINS', 'https://a.example/path', 'an origin'],
    ['CLOUDHAL_ALLOWED_HOSTS', 'a b', 'a host name'],
    ['CLOUDHAL_PUBLIC_URL', 'example.org', 'a URL that begins with http:// or https://'],
    ['CLOUDHAL_DATABASE_URL', 'mysql://x', 'a URL that begins with postgres://'],
    ['CLOUDHAL_LOG_LEVEL', 'verbose', 'one of fatal'],
  ])('%s="%s" is refused, and the error says that it takes %s', (name, value, takes) => {
    expect(() => readConfig('local', { [name]: value })).toThrow(name);
    expect(() => readConfig('local', { [name]: value })).toThrow(takes);
  });

  it('shows no secret in an error', () => {
    const attempt = () => readConfig('local', { CLOUDHAL_DATABASE_URL: 'mysql://me:hunter2@db/x' });
    expect(attempt).toThrow('CLOUDHAL_DATABASE_URL');
    expect(attempt).not.toThrow(/hunter2/);
  });

  it('is refused with a name that nobody knows, and the nearest is suggested', () => {
    expect(() => readConfig('local', { CLOUDHAL_DATABSE_URL: 'x' })).toThrow('did you mean CLOUDHAL_DATABASE_URL?');
    expect(() => readConfig('local', { CLOUDHAL_RATE_LIMIT: '5' })).toThrow('There is no variable CLOUDHAL_RATE_LIMIT');
  });

  it("may hold what is others': tests, clients, and the links that Kubernetes adds", () => {
    readConfig('local', {
      CLOUDHAL_TEST_NATS_URL: 'x',
      CLOUDHAL_API_KEY: 'x',
      CLOUDHAL_GATEWAY_SERVICE_HOST: '10.0.0.1',
      CLOUDHAL_GATEWAY_SERVICE_PORT_HTTP: '80',
      CLOUDHAL_GATEWAY_PORT: 'tcp://10.0.0.1:80',
      CLOUDHAL_GATEWAY_PORT_80_TCP_ADDR: '10.0.0.1',
    });
  });
});

describe('the table of variables', () => {
  it('says of each what it takes and who reads it', () => {
    for (const { name, takes, help, services, required } of describeVariables()) {
      expect(name).toMatch(/^CLOUDHAL_[A-Z0-9_]+$/);
      expect(takes.length).toBeGreaterThan(3);
      expect(help).toMatch(/\.$/);
      for (const service of [...services, ...required]) expect(serviceNames).toContain(service);
      for (const service of required) expect(services, name).toContain(service);
    }
  });

  it('shows no default for what is secret', () => {
    for (const entry of describeVariables()) if (entry.secret) expect(entry.default).toBeUndefined();
  });
});
