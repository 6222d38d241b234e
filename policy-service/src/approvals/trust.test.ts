import type { PersonAttested } from '@cloudhal/shared/policy';
import { describe, expect, it } from 'vitest';
import { defaultSiteRules } from '../site-rules.ts';
import { anAgent, aPerson } from '../testing/facts.ts';
import { isOwnRequest, trustIn } from './trust.ts';

const usual = {
  settings: { personAttested: 'off' as PersonAttested, confirmTokenFallback: true },
  rules: defaultSiteRules,
  principal: anAgent,
  effect: 'publish' as const,
  tainted: false,
};

describe('whose answer counts', () => {
  it('anyone’s whom the client asks, and a token, unless somebody says otherwise', () => {
    expect(trustIn(usual)).toEqual({ personOnly: false, tokens: true });
  });

  it.each<[string, Partial<typeof usual>]>([
    ['deployment', { settings: { ...usual.settings, confirmTokenFallback: false } }],
    ['site', { rules: { ...defaultSiteRules, confirmTokenFallback: false } }],
    ['key', { principal: { ...anAgent, confirmTokenFallback: false } }],
    ['taint', { tainted: true }],
  ])('the %s alone can do away with tokens', (_, more) => {
    expect(trustIn({ ...usual, ...more })).toEqual({ personOnly: false, tokens: false });
  });

  it.each<[PersonAttested, PersonAttested, PersonAttested, boolean, boolean]>([
    ['off', 'off', 'off', false, false],
    ['always-person', 'off', 'off', false, true],
    ['off', 'always-person', 'off', false, true],
    ['off', 'off', 'always-person', false, true],
    ['always-person', 'off', 'all', true, true],
    ['all', 'off', 'off', true, true],
    ['off', 'all', 'always-person', true, true],
  ])('deployment %s, site %s, key %s: the strictest wins', (deployment, site, key, publish, person) => {
    const given = {
      ...usual,
      settings: { ...usual.settings, personAttested: deployment },
      rules: { ...defaultSiteRules, personAttested: site },
      principal: { ...anAgent, personAttested: key },
    };
    expect(trustIn(given)).toEqual({ personOnly: publish, tokens: !publish });
    expect(trustIn({ ...given, effect: 'person' })).toEqual({ personOnly: person, tokens: !person });
  });

  it('a person answers for themselves, unless another one has to', () => {
    expect(trustIn({ ...usual, principal: { ...aPerson, personAttested: 'all' } })).toEqual({
      personOnly: false,
      tokens: false,
    });
    expect(trustIn({ ...usual, principal: aPerson, rules: { ...defaultSiteRules, fourEyes: true } }).personOnly).toBe(
      true,
    );
  });

  it('with four eyes nobody answers at the agent’s client, who may be its owner', () => {
    const trust = trustIn({ ...usual, rules: { ...defaultSiteRules, fourEyes: true } });
    expect(trust).toEqual({ personOnly: true, tokens: false });
  });

  it('knows one’s own request, whichever way the owner is written', () => {
    expect(isOwnRequest(aPerson, { id: 'agent:k', owner: 'u1' })).toBe(true);
    expect(isOwnRequest(aPerson, { id: 'agent:k', owner: 'person:u1' })).toBe(true);
    expect(isOwnRequest(aPerson, aPerson)).toBe(true);
    expect(isOwnRequest(aPerson, { id: 'agent:k', owner: 'u11' })).toBe(false);
    expect(isOwnRequest(aPerson, { id: 'agent:k' })).toBe(false);
  });
});
