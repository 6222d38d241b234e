import type { Example } from './example.ts';

/** Checks, snapshots and what readers get to see. */
export const publishing: Example[] = [
  { tool: 'preview_page', arguments: () => ({ node: '/articles/the-ferry-is-back' }) },
  { tool: 'render_page', arguments: () => ({ node: '/articles/the-ferry-is-back', viewport: 'mobile' }) },
  { tool: 'validate_draft', arguments: () => ({ node: '/articles/the-ferry-is-back' }) },
  { tool: 'create_snapshot', arguments: () => ({ label: 'Before the spring issue' }), as: 'restorePoint' },
  { tool: 'list_snapshots', arguments: () => ({ limit: 2 }) },
  { tool: 'get_snapshot', arguments: ({ restorePoint }) => ({ snapshot: restorePoint!.snapshot }) },
  {
    tool: 'diff_snapshots',
    arguments: ({ restorePoint }) => ({ a: restorePoint!.snapshot, b: 'draft' }),
  },
  {
    tool: 'update_entry',
    arguments: ({ ferry }) => ({ entry: ferry!.id, rev: ferry!.rev, set: { title: 'The ferry is back at last' } }),
    as: 'ferry',
  },
  { tool: 'undo_change', arguments: ({ ferry }) => ({ snapshot: ferry!.snapshot }) },
  { tool: 'get_entry', arguments: () => ({ entry: 'the-ferry-is-back' }), as: 'ferry' },
  { tool: 'get_publish_plan', arguments: ({ ferry }) => ({ what: { nodes: [ferry!.id] } }), as: 'plan' },
  {
    tool: 'publish',
    arguments: ({ ferry, plan }) => ({ what: { nodes: [ferry!.id] }, expectDraft: plan!.data.expectDraft }),
    as: 'published',
  },
  { tool: 'list_publications' },
  {
    tool: 'unpublish',
    arguments: ({ ferry }) => ({ items: [{ node: ferry!.id, rev: ferry!.rev }] }),
    as: 'unpublished',
  },
  {
    tool: 'rollback',
    arguments: ({ published, unpublished }) => ({
      snapshot: published!.snapshot,
      track: 'live',
      expectLive: unpublished!.snapshot,
      reason: 'It was taken off by mistake.',
    }),
  },
  { tool: 'get_entry', arguments: () => ({ entry: 'nets' }), as: 'nets' },
  {
    tool: 'set_embargo',
    arguments: ({ nets }) => ({
      node: nets!.id,
      rev: nets!.rev,
      until: '2099-01-01T06:00:00Z',
      reason: 'Not before the fair.',
    }),
    as: 'nets',
  },
  { tool: 'list_embargoes' },
  {
    tool: 'lift_embargo',
    arguments: ({ nets }) => ({ node: nets!.id, rev: nets!.rev, reason: 'The fair is today.' }),
    as: 'nets',
  },
];
