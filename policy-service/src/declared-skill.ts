import type { Bus } from '@cloudhal/shared/bus/bus';
import { getSkill } from '@cloudhal/shared/contracts';
import { cut } from '@cloudhal/shared/cut';
import { CloudhalError, fail } from '@cloudhal/shared/errors';

export type DeclaredSkill = { name: string; digest: string; scopes: readonly string[] };

export type Skills = {
  /**
   * The skill that a call declares. Whatever is not the name of a known one is refused with `skill_unknown`; where that
   * cannot be found out, `skill_unavailable`.
   */
  declared(value: unknown, timeoutMs: number): Promise<DeclaredSkill | undefined>;
};

const namePattern = /^[a-z0-9][a-z0-9-]{0,63}$/;
const keptMs = 60_000;
const maxKept = 500;

/** skills-service is asked each time; while it is away what it said at most a minute ago still narrows. */
export function skillReader(bus: Bus): Skills {
  const kept = new Map<string, { skill: DeclaredSkill; until: number }>();

  return {
    async declared(value, timeoutMs) {
      if (value === undefined) return undefined;
      if (typeof value !== 'string' || !namePattern.test(value)) throw fail('skill_unknown', { skill: shown(value) });
      try {
        const { name, digest, scopes } = await bus.request(
          getSkill,
          { name: value },
          { timeoutMs: Math.min(timeoutMs, 1_000) },
        );
        const skill = { name, digest, scopes };
        if (kept.size >= maxKept) kept.clear();
        kept.set(value, { skill, until: performance.now() + keptMs });
        return skill;
      } catch (error) {
        if (error instanceof CloudhalError && error.code === 'not_found') {
          kept.delete(value);
          throw fail('skill_unknown', { skill: value });
        }
        const last = kept.get(value);
        if (last && last.until > performance.now()) return last.skill;
        throw fail('skill_unavailable');
      }
    },
  };
}

function shown(value: unknown): string {
  return typeof value === 'string' ? cut(value, 64) : `(a value of type ${value === null ? 'null' : typeof value})`;
}
