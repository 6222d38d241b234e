import { effects, type Mode, modes, type Principal, roles, scopes } from '@cloudhal/shared/policy';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decide, type Facts } from './decide.ts';
import { defaultSiteRules } from './site-rules.ts';
import type { Change } from './small-publish.ts';

const someScopes = fc.subarray([...scopes], { minLength: 0, maxLength: 6 });
const change: fc.Arbitrary<Change> = fc.record({
  effect: fc.constantFrom(...effects),
  reasons: fc.constant<never[]>([]),
  nodes: fc.integer({ min: 0, max: 10 }),
  articlesOnly: fc.boolean(),
  embargoed: fc.constant<never[]>([]),
  problems: fc.constant<never[]>([]),
});
const principal: fc.Arbitrary<Principal> = fc
  .record({
    kind: fc.constantFrom('agent' as const, 'local' as const, 'person' as const),
    role: fc.option(fc.constantFrom(...roles), { nil: undefined }),
    mode: fc.constantFrom(...modes),
    scopes: fc.oneof(fc.constant('*' as const), someScopes),
    sites: fc.constantFrom('*' as const, ['site_1'], ['site_2'], []),
    remote: fc.boolean(),
  })
  .map(({ role, ...rest }) => ({
    ...rest,
    id: 'x',
    name: 'x',
    ...(role && { role }),
    personAttested: 'off' as const,
    confirmTokenFallback: true,
  }));
const facts: fc.Arbitrary<Facts> = fc
  .record({
    principal,
    tool: fc.record({
      name: fc.constantFrom('publish', 'move_page', 'fetch_asset_url', 'update_page', 'propose_term'),
      effect: fc.constantFrom(...effects),
      scopes: fc.subarray([...scopes], { maxLength: 2 }),
    }),
    arguments: fc.constantFrom({}, { op: 'merge' }, { op: 'create' }),
    change: fc.option(change, { nil: undefined }),
    skill: fc.option(fc.record({ name: fc.constant('s'), scopes: someScopes }), { nil: undefined }),
    elevation: fc.option(fc.record({ mode: fc.constantFrom(...modes) }), { nil: undefined }),
    tainted: fc.boolean(),
  })
  .map(({ change, skill, elevation, ...rest }) => ({
    ...rest,
    ...(change && { change }),
    ...(skill && { skill }),
    ...(elevation && { elevation }),
    site: 'site_1',
    rules: defaultSiteRules,
    now: new Date('2026-03-02T10:00:00Z'),
  }));

const severity = { allow: 0, person: 1, deny: 2 };

/** The call is judged no more mildly after the change than before. */
function neverMilder(before: Facts, after: Facts): void {
  expect(severity[decide(after).decision]).toBeGreaterThanOrEqual(severity[decide(before).decision]);
}

/** Over the network `bypass` counts as `edits`, so stepping from it to `auto` is no step down. */
function lowered(mode: Mode, to: Mode, remote: boolean): boolean {
  const rank = (m: Mode) => modes.indexOf(remote && m === 'bypass' ? 'edits' : m);
  return rank(to) <= rank(mode);
}

describe('taking rights away never makes a decision milder', () => {
  const runs = { numRuns: 2_000 };

  it('a lower mode', () => {
    fc.assert(
      fc.property(facts, fc.constantFrom(...modes), (before, mode) => {
        fc.pre(lowered(before.principal.mode, mode, before.principal.remote));
        neverMilder(before, { ...before, principal: { ...before.principal, mode } });
      }),
      runs,
    );
  });

  it('fewer scopes', () => {
    fc.assert(
      fc.property(facts, someScopes, (before, kept) => {
        const { scopes: held } = before.principal;
        const fewer = held === '*' ? kept : held.filter((scope) => kept.includes(scope));
        neverMilder(before, { ...before, principal: { ...before.principal, scopes: fewer } });
      }),
      runs,
    );
  });

  it('declaring a skill', () => {
    fc.assert(
      fc.property(facts, someScopes, (before, skillScopes) => {
        const { skill: _, ...without } = before;
        neverMilder(without, { ...without, skill: { name: 's', scopes: skillScopes } });
      }),
      runs,
    );
  });

  it('a taint', () => {
    fc.assert(
      fc.property(facts, (before) => neverMilder({ ...before, tainted: false }, { ...before, tainted: true })),
      runs,
    );
  });

  it('an elevation that ended', () => {
    fc.assert(
      fc.property(facts, (before) => {
        const { elevation: _, ...after } = before;
        neverMilder(before, after);
      }),
      runs,
    );
  });

  it('a stronger effect of the change', () => {
    fc.assert(
      fc.property(facts, change, (before, computed) => {
        const { change: _, ...without } = before;
        const small = { ...computed, effect: 'person' as const };
        neverMilder({ ...without, change: computed }, { ...without, change: small });
      }),
      runs,
    );
  });

  it('and nothing is ever allowed beyond the scopes that are held', () => {
    fc.assert(
      fc.property(facts, (given) => {
        if (decide(given).decision === 'deny') return;
        const held = given.principal.scopes;
        for (const scope of given.tool.scopes) expect(held === '*' || held.includes(scope)).toBe(true);
      }),
      runs,
    );
  });
});
