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

/** Changes that go live together, at their time. */
export const releases: Example[] = [
  {
    tool: 'create_entry',
    arguments: () => ({
      type: 'article',
      slug: 'market-day',
      fields: { title: 'Market day', summary: 'On the quay, from eight.', publishedOn: '2026-03-09' },
      body: 'The market is on the quay from eight.\n',
    }),
    as: 'market',
  },
  {
    tool: 'create_release',
    arguments: ({ market }) => ({ title: 'The spring issue', items: [{ node: market!.id }] }),
    as: 'release',
  },
  { tool: 'list_releases' },
  {
    tool: 'set_release_items',
    arguments: ({ release, about }) => ({ release: release!.id, rev: release!.rev, add: [{ node: about!.id }] }),
    as: 'release',
  },
  {
    tool: 'set_release_items',
    arguments: ({ release, about }) => ({ release: release!.id, rev: release!.rev, remove: [about!.id] }),
    as: 'release',
  },
  { tool: 'get_release', arguments: ({ release }) => ({ release: release!.id }), as: 'release' },
  { tool: 'check_readiness', arguments: ({ release }) => ({ release: release!.id }) },
  {
    tool: 'schedule_release',
    arguments: ({ release }) => ({
      release: release!.id,
      rev: release!.rev,
      at: new Date(Date.now() + 30 * 86_400_000).toISOString(),
      expectDigest: release!.data.digest,
    }),
    as: 'release',
  },
  {
    tool: 'unschedule_release',
    arguments: ({ release }) => ({ release: release!.id, rev: release!.rev }),
    as: 'release',
  },
  {
    tool: 'delete_release',
    arguments: ({ release }) => ({ release: release!.id, rev: release!.rev }),
  },
];
