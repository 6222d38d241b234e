import type { Assessment } from '@cloudhal/shared/contracts';
import { readInstant } from '@cloudhal/shared/instant';
import type { Static } from 'typebox';
import { isOpen, opensAt } from './publishing-window.ts';
import type { SiteRules } from './site-rules.ts';

export type Change = Pick<
  Static<typeof Assessment>,
  'effect' | 'reasons' | 'nodes' | 'articlesOnly' | 'embargoed' | 'problems'
>;

/**
 * Why a publish is not one of the small ones that mode `auto` lets through; empty when it is. `at` is when the change
 * goes live.
 */
export function notSmall(change: Change | undefined, rules: SiteRules, at: Date | undefined): string[] {
  if (change === undefined) return ['what would go live could not be computed'];
  const reasons: string[] = [];
  if (change.nodes > rules.smallPublishNodes) {
    reasons.push(`it changes ${change.nodes} nodes, more than ${rules.smallPublishNodes}`);
  }
  if (!change.articlesOnly) reasons.push('it changes more than articles');
  if (change.embargoed.length > 0) reasons.push('it touches nodes under embargo');
  if (change.problems.length > 0) reasons.push('checks found problems');
  const closed = closedWindow(rules, at);
  if (closed !== undefined) reasons.push(closed);
  return reasons;
}

function closedWindow({ publishingWindow }: SiteRules, at: Date | undefined): string | undefined {
  if (at === undefined) return 'the time at which it goes live is not clear';
  if (publishingWindow === undefined || isOpen(publishingWindow, at)) return undefined;
  const opens = opensAt(publishingWindow, at);
  return `the publishing window is closed${opens === undefined ? '' : `; it opens ${opens.toISOString()}`}`;
}

/** When the change of a call reaches readers: now, or at the time that a schedule names. */
export function goesLiveAt(tool: string, args: Readonly<Record<string, unknown>>, now: Date): Date | undefined {
  if (tool !== 'schedule_release') return now;
  const { at, timeZone } = args;
  if (typeof at !== 'string' || (timeZone !== undefined && typeof timeZone !== 'string')) return undefined;
  try {
    return readInstant(at, timeZone, 'at');
  } catch {
    return undefined;
  }
}
