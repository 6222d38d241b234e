import type { CloudhalError } from '@cloudhal/shared/errors';
import { describe, expect, it } from 'vitest';
import { credentialOf } from './credentials.ts';

function read(headersDistinct: NodeJS.Dict<string[]>): string | undefined {
  try {
    return credentialOf({ headersDistinct });
  } catch (error) {
    return (error as CloudhalError).code;
  }
}

describe('the credential of a request', () => {
  it.each([
    [{}, undefined],
    [{ authorization: ['Bearer abc'] }, 'abc'],
    [{ authorization: ['bearer  abc '] }, 'abc'],
    [{ 'x-api-key': [' abc '] }, 'abc'],
    [{ authorization: ['Bearer abc'], 'x-api-key': ['abc'] }, 'abc'],
    [{ authorization: ['Basic abc'] }, ''],
    [{ authorization: ['Bearer'] }, ''],
    [{ authorization: ['Bearer a, Bearer b'] }, ''],
    [{ authorization: ['Bearer abc'], 'x-api-key': ['def'] }, 'conflicting_credentials'],
    [{ authorization: ['Basic abc'], 'x-api-key': ['abc'] }, 'conflicting_credentials'],
    [{ authorization: ['Bearer abc', 'Bearer def'] }, 'conflicting_credentials'],
    [{ 'x-api-key': ['abc', 'def'] }, 'conflicting_credentials'],
  ])('%j: %s', (headers, credential) => {
    expect(read(headers)).toBe(credential);
  });
});
