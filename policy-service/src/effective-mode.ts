import { type Mode, modeAtMost, modes, type Principal, roleMode } from '@cloudhal/shared/policy';

/** A more autonomous mode that a person granted for a while and that has not ended. */
export type Elevation = { mode: Mode };

type Who = Pick<Principal, 'kind' | 'mode' | 'role' | 'remote'>;

/**
 * The mode that counts now: at most what the owner's role allows; over the network `bypass` works as `edits` and an
 * elevation reaches `auto` at most; while the key is tainted an elevation is suspended. A person has no mode.
 */
export function effectiveMode(who: Who, elevation: Elevation | undefined, tainted: boolean): Mode {
  if (who.kind === 'person') return who.mode;
  const limit = who.role === undefined ? 'bypass' : roleMode[who.role];
  const own = modeAtMost(who.mode, limit);
  const base = who.remote && own === 'bypass' ? 'edits' : own;
  if (elevation === undefined || tainted) return base;
  return higher(base, modeAtMost(elevation.mode, elevationLimit(who)));
}

/** The most that an elevation can reach. */
export function elevationLimit({ role, remote }: Pick<Who, 'role' | 'remote'>): Mode {
  const limit = role === undefined ? 'bypass' : roleMode[role];
  return remote ? modeAtMost('auto', limit) : limit;
}

export function higher(a: Mode, b: Mode): Mode {
  return modes.indexOf(a) >= modes.indexOf(b) ? a : b;
}
