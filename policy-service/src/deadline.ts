import { fail } from '@cloudhal/shared/errors';

export type Deadline = {
  /** Milliseconds left, 0 when there are none. */
  remaining(): number;
  /** Milliseconds left, at most `most`; throws `policy_unavailable` when there are none. */
  left(most?: number): number;
};

/** A decision that comes late is no decision: everything that one waits for asks here how long it may. */
export function deadlineIn(ms: number): Deadline {
  const end = performance.now() + ms;
  const remaining = () => Math.max(0, Math.floor(end - performance.now()));
  return {
    remaining,
    left(most = Number.POSITIVE_INFINITY) {
      const left = remaining();
      if (left === 0) throw fail('policy_unavailable');
      return Math.min(left, most);
    },
  };
}
