import { describe, expect, it } from 'vitest';
import { houseFile } from './house-file.ts';
import { newId, uuidv7 } from './ids.ts';

describe('ids', () => {
  it('are prefixed, unique, and sort in the order they were made', () => {
    const ids = Array.from({ length: 5_000 }, () => newId('pg'));
    for (const id of ids) expect(id).toMatch(/^pg_[0-9a-hjkmnp-tv-z]{26}$/);
    expect(new Set(ids).size).toBe(ids.length);
    expect([...ids].sort()).toEqual(ids);
  });

  it('a UUIDv7 says so', () => {
    expect(uuidv7()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  });
});

describe('files of the house', () => {
  it('are found from the source', () => {
    expect(houseFile('shared/migrations')).toMatch(/\/shared\/migrations$/);
  });

  it('a missing one is named', () => {
    expect(() => houseFile('shared/nothing')).toThrow('shared/nothing');
  });
});
