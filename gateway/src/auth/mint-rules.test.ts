import type { CloudhalError } from '@cloudhal/shared/errors';
import { modes, type Role, roles } from '@cloudhal/shared/policy';
import { describe, expect, it } from 'vitest';
import { checkRights, defaultMode, rightsWithin, warningsFor } from './mint-rules.ts';

function codeOf(work: () => unknown): string {
  try {
    work();
    return 'ok';
  } catch (error) {
    return (error as CloudhalError).code;
  }
}

describe('minting a key', () => {
  it.each([
    ['owner', { scopes: '*', mode: 'bypass' }, 'ok'],
    ['editor', { scopes: ['publish', 'content:delete'], mode: 'auto' }, 'ok'],
    ['reviewer', { scopes: ['content:read', 'preview'], mode: 'plan' }, 'ok'],
    ['reviewer', { scopes: ['content:read', 'content:write'] }, 'scope_missing'],
    ['reviewer', { scopes: '*' }, 'forbidden'],
    ['reviewer', { mode: 'edits' }, 'forbidden'],
    ['reviewer', { mode: 'manual' }, 'forbidden'],
    ['auditor', { scopes: ['activity:read-all'], mode: 'plan' }, 'ok'],
    ['auditor', { scopes: ['preview'] }, 'scope_missing'],
    ['auditor', { scopes: '*' }, 'forbidden'],
  ] as const)('by a person who is %s with %j: %s', (role, wish, outcome) => {
    expect(codeOf(() => checkRights(wish, role))).toBe(outcome);
  });

  it.each(roles)('without a mode gives one that the role %s may have', (role: Role) => {
    expect(codeOf(() => checkRights({ mode: defaultMode(role) }, role))).toBe('ok');
  });
});

describe('the rights of a key at work', () => {
  it('shrink with the role of its owner', () => {
    const rights = { mode: 'auto', scopes: ['content:read', 'publish'] } as const;
    expect(rightsWithin(rights, 'editor')).toEqual(rights);
    expect(rightsWithin(rights, 'reviewer')).toEqual({ mode: 'plan', scopes: ['content:read'] });
    expect(rightsWithin({ mode: 'bypass', scopes: '*' }, 'auditor').scopes).not.toContain('preview');
  });

  it.each(modes)('never gain autonomy: %s', (mode) => {
    for (const role of roles) {
      expect(modes.indexOf(rightsWithin({ mode, scopes: '*' }, role).mode)).toBeLessThanOrEqual(modes.indexOf(mode));
    }
  });
});

describe('a key that reads comments and publishes', () => {
  it('comes with a warning', () => {
    expect(warningsFor({ scopes: ['comments:read', 'publish'] })).toHaveLength(1);
    expect(warningsFor({ scopes: '*' })).toHaveLength(1);
    expect(warningsFor({ scopes: ['comments:read', 'content:write'] })).toEqual([]);
  });
});
