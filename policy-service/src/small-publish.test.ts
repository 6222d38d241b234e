import { describe, expect, it } from 'vitest';
import { decide } from './decide.ts';
import { defaultSiteRules } from './site-rules.ts';
import { type Change, goesLiveAt, notSmall } from './small-publish.ts';
import { anAgent, aSmallChange, someFacts } from './testing/facts.ts';

const now = new Date('2026-03-02T10:00:00Z');
const closed = {
  ...defaultSiteRules,
  publishingWindow: { timeZone: 'Europe/Berlin', days: [2], from: '09:00', to: '17:00' },
};

describe('a small publish', () => {
  it.each<[string, Partial<Change>, RegExp]>([
    ['too many nodes', { nodes: 6 }, /6 nodes/],
    ['more than articles', { articlesOnly: false }, /more than articles/],
    ['an embargo', { embargoed: [{ node: 'entry_1', until: '2026-04-01T00:00:00Z' }] }, /embargo/],
    ['problems', { problems: ['an image has no alternative text'] }, /problems/],
  ])('is not one with %s', (_, change, why) => {
    const reasons = notSmall({ ...aSmallChange, ...change }, defaultSiteRules, now);
    expect(reasons).toHaveLength(1);
    expect(reasons[0]).toMatch(why);
  });

  it('is one up to the number of nodes that the site allows', () => {
    expect(notSmall({ ...aSmallChange, nodes: 5 }, defaultSiteRules, now)).toEqual([]);
    expect(notSmall(aSmallChange, { ...defaultSiteRules, smallPublishNodes: 0 }, now)).toHaveLength(1);
  });

  it('is not one outside the window, and says when it opens', () => {
    expect(notSmall(aSmallChange, closed, now)).toEqual([
      'the publishing window is closed; it opens 2026-03-03T08:00:00.000Z',
    ]);
    expect(notSmall(aSmallChange, closed, new Date('2026-03-03T10:00:00Z'))).toEqual([]);
  });

  it('is not one where nothing was computed', () => {
    expect(notSmall(undefined, defaultSiteRules, now)).toHaveLength(1);
  });

  it('is judged at the time that a schedule names', () => {
    expect(goesLiveAt('publish', { at: '2026-03-03T10:00:00Z' }, now)).toEqual(now);
    expect(goesLiveAt('schedule_release', { at: '2026-03-03T11:00:00+01:00' }, now)).toEqual(
      new Date('2026-03-03T10:00:00Z'),
    );
    expect(goesLiveAt('schedule_release', { at: '2026-03-03T11:00', timeZone: 'Europe/Berlin' }, now)).toEqual(
      new Date('2026-03-03T10:00:00Z'),
    );
    expect(goesLiveAt('schedule_release', { at: 'soon' }, now)).toBeUndefined();
    // A time that no clock there shows is none: a person decides, and the tool refuses it.
    expect(goesLiveAt('schedule_release', { at: '2026-03-29T02:30', timeZone: 'Europe/Berlin' }, now)).toBeUndefined();
    expect(notSmall(aSmallChange, closed, undefined)).toHaveLength(1);
  });

  it('runs in mode auto alone', () => {
    const publish = { name: 'publish', effect: 'auto-publish' as const, scopes: [] };
    const at = (mode: 'edits' | 'auto', rules = defaultSiteRules) =>
      decide({ ...someFacts, principal: { ...anAgent, mode }, tool: publish, change: aSmallChange, rules }).decision;
    expect(at('auto')).toBe('allow');
    expect(at('edits')).toBe('person');
    expect(at('auto', closed)).toBe('person');
  });
});
