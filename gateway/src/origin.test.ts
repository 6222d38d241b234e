import { describe, expect, it } from 'vitest';
import { edgeOf, fromOwnPage, hostAllowed, originAllowed } from './origin.ts';

const edge = edgeOf({
  publicUrl: 'https://studio.example.com',
  allowedHosts: ['Gateway.internal:8080'],
  allowedOrigins: ['https://admin.example.com:8443'],
});

describe('the origin check', () => {
  it.each([undefined, 'https://studio.example.com', 'https://admin.example.com:8443'])('lets %s pass', (origin) => {
    expect(originAllowed(edge, origin)).toBe(true);
  });

  it.each([
    'null',
    '',
    'http://studio.example.com',
    'https://studio.example.com:8443',
    'https://admin.example.com',
    'https://studio.example.com.evil.test',
    'https://evil.test',
    'https://sub.studio.example.com',
    'https://studio.example.com/',
    'https://studio.example.com, https://evil.test',
  ])('refuses %j', (origin) => {
    expect(originAllowed(edge, origin)).toBe(false);
  });
});

describe('the host check', () => {
  it.each(['studio.example.com', 'STUDIO.example.com', 'studio.example.com:443', 'gateway.internal:8080'])(
    'knows %s',
    (host) => {
      expect(hostAllowed(edge, host)).toBe(true);
    },
  );

  it.each([undefined, '', 'evil.test', 'studio.example.com:8443', 'studio.example.com.', 'localhost:3000'])(
    'refuses %s',
    (host) => {
      expect(hostAllowed(edge, host)).toBe(false);
    },
  );

  it('knows the names of this machine only where the server is reached on it', () => {
    const local = edgeOf({ publicUrl: 'http://localhost:4000', loopbackPort: 4000 });
    for (const host of ['localhost:4000', '127.0.0.1:4000', '[::1]:4000']) {
      expect(hostAllowed(local, host), host).toBe(true);
      expect(originAllowed(local, `http://${host}`), host).toBe(true);
    }
    expect(hostAllowed(local, 'localhost:4001')).toBe(false);
    expect(originAllowed(local, 'https://localhost:4000')).toBe(false);
  });
});

describe('a change from a page', () => {
  it.each([
    ['https://studio.example.com', 'same-origin', true],
    ['https://studio.example.com', undefined, true],
    [undefined, 'same-origin', true],
    [undefined, undefined, false],
    ['null', undefined, false],
    ['null', 'same-origin', false],
    ['https://evil.test', undefined, false],
    ['https://studio.example.com', 'cross-site', false],
    ['https://studio.example.com', 'same-site', false],
    [undefined, 'none', false],
  ])('Origin %s, Sec-Fetch-Site %s: %s', (origin, fetchSite, own) => {
    expect(fromOwnPage(edge, origin, fetchSite)).toBe(own);
  });
});
