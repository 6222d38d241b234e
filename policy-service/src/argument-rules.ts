import type { Effect, Scope } from '@cloudhal/shared/policy';

export type Raise = { effect: Effect; reason: string };
type Arguments = Readonly<Record<string, unknown>>;
type Rule = (args: Arguments) => Raise | undefined;

const structural: ReadonlySet<unknown> = new Set(['rename', 'move', 'merge', 'delete', 'create_taxonomy']);

/** Arguments that make a call weigh more than its tool. They raise and never lower. */
const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  [
    'bulk_update_entries',
    ({ items }) =>
      Array.isArray(items) && items.length > 10
        ? { effect: 'delete', reason: 'it changes more than 10 entries at once' }
        : undefined,
  ],
  [
    'propose_term',
    ({ op }) => (structural.has(op) ? { effect: 'person', reason: `the change "${op}" is structural` } : undefined),
  ],
  [
    'add_correction',
    ({ kind }) => (kind === 'retraction' ? { effect: 'person', reason: 'it retracts an article' } : undefined),
  ],
  ['unpublish', (args) => (leadsAway(args) ? { effect: 'person', reason: 'it adds a redirect' } : undefined)],
]);

export function raiseByArguments(tool: string, args: Arguments): Raise | undefined {
  return rules.get(tool)?.(args);
}

/** Scopes that a call needs beside its tool's own: one that makes a redirect needs what add_redirect needs. */
export function scopesByCall(tool: string, effect: Effect, args: Arguments): readonly Scope[] {
  return makesRedirect(tool, effect, args) ? ['redirects:write'] : [];
}

function makesRedirect(tool: string, effect: Effect, args: Arguments): boolean {
  // Moving a page weighs as much only where readers know it.
  return (tool === 'move_page' && effect === 'person') || (tool === 'unpublish' && leadsAway(args));
}

function leadsAway({ redirect }: Arguments): boolean {
  return redirect !== undefined && redirect !== null;
}
