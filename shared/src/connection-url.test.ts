import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { urlWithPassword } from './connection-url.ts';

const folder = mkdtempSync(join(tmpdir(), 'cloudhal-password-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function file(content: string): string {
  const path = join(folder, 'password');
  writeFileSync(path, content);
  return path;
}

test('a password of a file is put into the URL, whatever is in it', () => {
  const url = urlWithPassword('postgres://cloudhal_tools@db:5432/cloudhal?sslmode=require', file('p@ss/w:rd%41 #?\n'));
  expect(decodeURIComponent(new URL(url).password)).toBe('p@ss/w:rd%41 #?');
  expect(new URL(url)).toMatchObject({ username: 'cloudhal_tools', host: 'db:5432', search: '?sslmode=require' });
});

test('a URL without a user takes it too, as Redis has them', () => {
  expect(urlWithPassword('redis://redis:6379', file('secret'))).toBe('redis://:secret@redis:6379');
});

test('without a file the URL stays as it is', () => {
  expect(urlWithPassword('postgres://a:b@db/x')).toBe('postgres://a:b@db/x');
});

test('a file that is missing or empty is named', () => {
  expect(() => urlWithPassword('redis://r', join(folder, 'none'))).toThrow(/none cannot be read \(ENOENT\)/);
  expect(() => urlWithPassword('redis://r', file('\n'))).toThrow(/password is empty/);
});
