import { describe, expect, it } from 'vitest';
import { raiseByArguments } from './argument-rules.ts';

const items = (count: number) => Array.from({ length: count }, (_, i) => ({ entry: `e${i}`, rev: 1 }));

describe('arguments that raise a call', () => {
  it.each<[string, Record<string, unknown>, string | undefined]>([
    ['bulk_update_entries', { items: items(10) }, undefined],
    ['bulk_update_entries', { items: items(11) }, 'delete'],
    ['bulk_update_entries', { items: items(11), dryRun: true }, 'delete'],
    ['bulk_update_entries', {}, undefined],
    ['propose_term', { op: 'create' }, undefined],
    ['propose_term', { op: 'describe' }, undefined],
    ['propose_term', { op: 'translate' }, undefined],
    ['propose_term', { op: 'rename' }, 'person'],
    ['propose_term', { op: 'move' }, 'person'],
    ['propose_term', { op: 'merge' }, 'person'],
    ['propose_term', { op: 'delete' }, 'person'],
    ['propose_term', { op: 'create_taxonomy' }, 'person'],
    ['add_correction', { kind: 'correction' }, undefined],
    ['add_correction', { kind: 'retraction' }, 'person'],
    ['unpublish', { items: items(1) }, undefined],
    ['unpublish', { items: items(1), redirect: '/elsewhere' }, 'person'],
    ['update_page', { op: 'merge', kind: 'retraction', redirect: '/x' }, undefined],
    ['constructor', {}, undefined],
  ])('%s %o: %s', (tool, args, effect) => {
    expect(raiseByArguments(tool, args)?.effect).toBe(effect);
  });
});
