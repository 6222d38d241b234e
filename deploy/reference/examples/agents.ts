import type { Example } from './example.ts';

/** What an agent knows of itself. */
export const agents: Example[] = [
  { tool: 'get_mode' },
  {
    tool: 'request_elevation',
    arguments: () => ({ mode: 'auto', minutes: 30, reason: 'The spring issue has many small fixes.' }),
    // Nothing above auto is granted to a key.
    answersWith: { auto: 'validation_failed' },
  },
  { tool: 'end_elevation' },
  { tool: 'explain_policy', arguments: () => ({ tool: 'create_snapshot', arguments: { label: 'Spring' } }) },
  { tool: 'list_approvals' },
  {
    tool: 'cancel_approval',
    async before({ site, call }, made) {
      const set = { name: 'Bo Pier', slug: 'bo-pier' };
      const { details } = await call('propose_person', { site, set, reason: 'Not needed after all' });
      made.asked = { id: details?.approval ?? 'ap_none', rev: 0, snapshot: '', data: {} };
    },
    arguments: ({ asked }) => ({ approval: asked!.id }),
    // In mode plan nothing of an agent can wait.
    answersWith: { plan: 'not_found' },
  },
  { tool: 'list_activity', arguments: () => ({ tool: 'create_page', limit: 1 }) },
  { tool: 'list_skills' },
  { tool: 'get_skill', arguments: () => ({ name: 'write-article' }) },
];
