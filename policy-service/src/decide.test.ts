import { type Effect, effects, type Mode, modes } from '@cloudhal/shared/policy';
import { describe, expect, it } from 'vitest';
import { decide, type Facts } from './decide.ts';
import { modeMatrix } from './mode-matrix.ts';
import { aDeveloper, anAgent, aPerson, aSmallChange, someFacts } from './testing/facts.ts';

function judge(change: Partial<Facts>) {
  const { decision, rule, error } = decide({ ...someFacts, ...change });
  return error === undefined ? `${decision} ${rule}` : `${decision} ${rule} ${error.code}`;
}

const words = { '+': 'allow', '?': 'person', '-': 'deny' } as const;

/** The table of docs/adr/0015, as people read it: + runs, ? waits for a person, - is refused. */
const table: [Effect, Record<Mode, keyof typeof words>][] = [
  //                     plan      manual       edits       auto       bypass
  ['read', { plan: '+', manual: '+', edits: '+', auto: '+', bypass: '+' }],
  ['view', { plan: '+', manual: '+', edits: '+', auto: '+', bypass: '+' }],
  ['ask', { plan: '+', manual: '+', edits: '+', auto: '+', bypass: '+' }],
  ['edit', { plan: '-', manual: '?', edits: '+', auto: '+', bypass: '+' }],
  ['delete', { plan: '-', manual: '?', edits: '?', auto: '?', bypass: '+' }],
  ['publish', { plan: '-', manual: '?', edits: '?', auto: '?', bypass: '+' }],
  ['auto-publish', { plan: '-', manual: '?', edits: '?', auto: '?', bypass: '+' }],
  ['person', { plan: '-', manual: '?', edits: '?', auto: '?', bypass: '?' }],
];
const cells = table.flatMap(([effect, row]) => modes.map((mode) => [effect, mode, words[row[mode]]] as const));

describe('the modes', () => {
  it('cover every effect', () => {
    expect(table.map(([effect]) => effect).sort()).toEqual([...effects].sort());
    for (const mode of modes) expect(Object.keys(modeMatrix[mode]).sort()).toEqual([...effects].sort());
  });

  it.each(cells)('%s in mode %s at a local server: %s', (effect, mode, expected) => {
    const { decision, error } = decide({
      ...someFacts,
      principal: { ...aDeveloper, mode },
      tool: { name: 'x', effect, scopes: [] },
    });
    expect(decision).toBe(expected);
    expect(error?.code).toBe(expected === 'deny' ? 'mode_forbids' : undefined);
  });

  it.each(cells)('%s in mode %s with a remote key: bypass works as edits', (effect, mode) => {
    const tool = { name: 'x', effect, scopes: [] };
    const asMode = mode === 'bypass' ? 'edits' : mode;
    const { decision } = decide({ ...someFacts, principal: { ...anAgent, mode }, tool });
    expect(decision).toBe(decide({ ...someFacts, principal: { ...aDeveloper, mode: asMode }, tool }).decision);
  });

  it.each(cells)('%s does not look at the mode %s of a person', (effect, mode) => {
    const { decision } = decide({
      ...someFacts,
      principal: { ...aPerson, mode },
      tool: { name: 'x', effect, scopes: [] },
    });
    expect(decision).toBe(effect === 'person' ? 'person' : 'allow');
  });

  it('lets nothing through that no table knows', () => {
    const unknownMode = { ...anAgent, mode: 'yolo' as Mode };
    const unknownEffect = { name: 'x', effect: 'nuke' as Effect, scopes: [] };
    expect(judge({ principal: unknownMode })).toBe('deny default mode_forbids');
    expect(judge({ principal: { ...anAgent, mode: '__proto__' as Mode } })).toBe('deny default mode_forbids');
    expect(judge({ tool: unknownEffect })).toBe('deny default mode_forbids');
    expect(judge({ tool: unknownEffect, principal: aPerson })).toBe('deny default mode_forbids');
    expect(judge({ change: { ...aSmallChange, effect: 'nuke' as Effect } })).toBe('deny default mode_forbids');
    expect(judge({ principal: unknownMode, tainted: true, tool: { ...someFacts.tool, effect: 'publish' } })).toBe(
      'deny default mode_forbids',
    );
  });

  it('judges a call by the strongest of its tool, its arguments and its change', () => {
    expect(judge({ change: { ...aSmallChange, effect: 'edit' } })).toBe('allow edits/edit');
    expect(judge({ change: { ...aSmallChange, effect: 'publish' } })).toBe('person edits/publish');
    expect(judge({ change: { ...aSmallChange, effect: 'person' }, principal: { ...aDeveloper, mode: 'bypass' } })).toBe(
      'person bypass/person',
    );
    const publish = { name: 'publish', effect: 'publish', scopes: [] } as const;
    expect(judge({ tool: { ...publish, scopes: [] }, change: { ...aSmallChange, effect: 'read' } })).toBe(
      'person edits/publish',
    );
    const raised = decide({
      ...someFacts,
      change: { ...aSmallChange, effect: 'person', reasons: ['a person record'] },
    });
    expect(raised.reasons).toContain('a person record');
  });

  it('caps the mode by the role of the owner', () => {
    expect(judge({ principal: { ...anAgent, role: 'reviewer', mode: 'bypass', scopes: '*' } })).toBe(
      'deny scope scope_missing',
    );
    const tool = { ...someFacts.tool, scopes: [] };
    expect(judge({ tool, principal: { ...anAgent, role: 'reviewer', mode: 'auto' } })).toBe(
      'deny plan/edit mode_forbids',
    );
    expect(judge({ tool, principal: { ...anAgent, role: 'auditor' }, elevation: { mode: 'auto' } })).toBe(
      'deny plan/edit mode_forbids',
    );
  });
});

describe('elevations', () => {
  const publish = { name: 'publish', effect: 'auto-publish', scopes: ['publish'] } as const;
  const tool = { ...publish, scopes: [...publish.scopes] };

  it('lift the mode while they last', () => {
    expect(judge({ principal: { ...anAgent, mode: 'plan' }, elevation: { mode: 'edits' } })).toBe('allow edits/edit');
    expect(judge({ tool, change: aSmallChange, elevation: { mode: 'auto' } })).toBe('allow small-publish');
  });

  it('never lower it', () => {
    expect(judge({ elevation: { mode: 'plan' } })).toBe('allow edits/edit');
  });

  it('reach auto at most over the network, and bypass at a local server', () => {
    const rollback = { name: 'rollback', effect: 'publish' as const, scopes: [] };
    expect(judge({ tool: rollback, elevation: { mode: 'bypass' } })).toBe('person auto/publish');
    expect(judge({ tool: rollback, principal: aDeveloper, elevation: { mode: 'bypass' } })).toBe(
      'allow bypass/publish',
    );
  });

  it('are suspended while the key is tainted', () => {
    const planned = { ...anAgent, mode: 'plan' } as const;
    expect(judge({ principal: planned, elevation: { mode: 'auto' }, tainted: true })).toBe(
      'deny plan/edit mode_forbids',
    );
  });
});

describe('a tainted key', () => {
  const bypassing = { ...aDeveloper, mode: 'bypass' } as const;

  it.each(['auto-publish', 'publish', 'delete'] as const)('needs a person for %s in every mode but plan', (effect) => {
    const tool = { name: 'x', effect, scopes: [] };
    for (const mode of ['manual', 'edits', 'auto', 'bypass'] as const) {
      const principal = { ...aDeveloper, mode };
      expect(decide({ ...someFacts, principal, tool, change: aSmallChange, tainted: true }).decision).toBe('person');
    }
    expect(judge({ principal: { ...aDeveloper, mode: 'plan' }, tool, tainted: true })).toMatch(/^deny plan/);
  });

  it('needs a person to fetch an address, and may still edit and read', () => {
    const fetch = { name: 'fetch_asset_url', effect: 'edit' as const, scopes: [] };
    expect(judge({ principal: bypassing, tool: fetch, tainted: true })).toBe('person taint');
    expect(judge({ principal: bypassing, tool: fetch })).toBe('allow bypass/edit');
    expect(judge({ tainted: true })).toBe('allow edits/edit');
    expect(judge({ tool: { name: 'x', effect: 'read', scopes: [] }, tainted: true })).toBe('allow edits/read');
  });

  it('is not a person', () => {
    expect(judge({ principal: aPerson, tool: { name: 'x', effect: 'publish', scopes: [] }, tainted: true })).toBe(
      'allow person/publish',
    );
  });
});

describe('scopes, skills and sites', () => {
  const skill = { name: 'read-only', scopes: ['content:read'] };

  it.each<[string, Partial<Facts>, string]>([
    ['a scope that is not held', { principal: { ...anAgent, scopes: ['content:read'] } }, 'deny scope scope_missing'],
    ['all scopes of a list', { principal: { ...anAgent, scopes: ['content:write'] } }, 'allow edits/edit'],
    ['a skill without the scope', { skill }, 'deny skill skill_scope'],
    ['a skill with the scope', { skill: { name: 'write', scopes: ['content:write'] } }, 'allow edits/edit'],
    [
      'a skill that claims more than the key has',
      { skill: { name: 'all', scopes: ['content:write', 'publish'] }, principal: { ...anAgent, scopes: [] } },
      'deny scope scope_missing',
    ],
    ['a skill with a scope that there is not', { skill: { name: 'x', scopes: ['*'] } }, 'deny skill skill_scope'],
    ['a site out of reach', { principal: { ...anAgent, sites: ['site_2'] } }, 'deny site not_found'],
    ['a site within reach', { principal: { ...anAgent, sites: ['site_1'] } }, 'allow edits/edit'],
    [
      'a deny and a person at once',
      { principal: { ...anAgent, scopes: [] }, tool: { name: 'x', effect: 'person', scopes: ['publish'] } },
      'deny scope scope_missing',
    ],
    [
      'a reviewer, whose role does not write',
      { principal: { ...aPerson, role: 'reviewer', scopes: '*' } },
      'deny scope scope_missing',
    ],
  ])('%s', (_, change, expected) => {
    expect(judge(change)).toBe(expected);
  });

  it('hands on the scopes that the skill leaves', () => {
    const decision = decide({ ...someFacts, skill: { name: 'w', scopes: ['content:write', 'publish'] } });
    expect(decision.scopes).toEqual(['content:write', 'publish']);
  });

  it('moving a page that readers know needs the scope for redirects', () => {
    const move = { name: 'move_page', effect: 'edit' as const, scopes: ['content:write' as const] };
    const principal = { ...anAgent, scopes: ['content:write' as const] };
    expect(judge({ tool: move, principal, change: { ...aSmallChange, effect: 'edit' } })).toBe('allow edits/edit');
    expect(judge({ tool: move, principal, change: { ...aSmallChange, effect: 'person' } })).toBe(
      'deny scope scope_missing',
    );
    expect(judge({ tool: move, change: { ...aSmallChange, effect: 'person' } })).toBe('person edits/person');
  });

  it('taking something off with a redirect needs the scope for redirects, and nothing else does', () => {
    const tool = { name: 'unpublish', effect: 'publish' as const, scopes: ['publish' as const] };
    const publisher = { ...anAgent, scopes: ['publish' as const] };
    const arguments_ = { items: [], redirect: '/elsewhere' };
    expect(judge({ tool, principal: publisher, arguments: { items: [] } })).not.toContain('scope');
    expect(judge({ tool, principal: publisher, arguments: arguments_ })).toBe('deny scope scope_missing');
    expect(judge({ tool, arguments: arguments_ })).toBe('person edits/person');
    expect(judge({ tool: { ...tool, name: 'publish' }, principal: publisher, arguments: arguments_ })).not.toContain(
      'scope',
    );
    const skill = { name: 'publisher', scopes: ['publish'] };
    expect(judge({ tool, skill, arguments: arguments_ })).toBe('deny skill skill_scope');
  });
});
