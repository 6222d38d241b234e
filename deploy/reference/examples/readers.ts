import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Data, Example, Outside } from './example.ts';

/** A form that is sent sooner was filled in by a program. */
const writingMs = 4_000;

/** What readers do: they open the article, take their time, and send the form. */
async function readersWrite({ url, slug }: Outside): Promise<void> {
  const page = `${url}/sites/${slug}/articles/the-ferry-is-back`;
  const opened = await fetch(`${page}/comments`);
  const form = /name="form" value="([^"]+)"/.exec(await opened.text())?.[1];
  if (form === undefined) throw new Error(`${page} /comments has no form: ${opened.status}`);
  await sleep(writingMs);
  for (const [author, text] of [
    ['Mo', 'Does it take bicycles?'],
    ['Lee', 'At last!'],
    ['Kim', 'First!!!'],
  ] as const) {
    const sent = await fetch(`${page}/comments`, {
      method: 'POST',
      // Each at a place of their own: one address alone may not write so much.
      headers: { 'x-forwarded-for': `2001:db8:${randomInt(0x10000).toString(16)}::1` },
      body: new URLSearchParams({ author, text, form, website: '' }),
      redirect: 'manual',
    });
    if (sent.status !== 303) throw new Error(`a comment was answered with ${sent.status}`);
  }
}

const item = (list: Data, at: number) => ({ comment: list.comments[at].id, rev: list.comments[at].rev });

/** What readers say, and what becomes of it. */
export const comments: Example[] = [
  { tool: 'get_publish_plan', arguments: ({ site }) => ({ what: { nodes: [site!.id] } }), as: 'plan' },
  {
    tool: 'publish',
    arguments: ({ site, plan }) => ({ what: { nodes: [site!.id] }, expectDraft: plan!.data.expectDraft }),
    raisedTo: 'publish',
  },
  { tool: 'list_comments', before: readersWrite, as: 'comments' },
  {
    tool: 'suggest_comment_decisions',
    arguments: ({ comments }) => ({
      items: [
        {
          ...item(comments!.data, 0),
          rev: undefined,
          decision: 'approve',
          reason: 'A question that others have, too.',
        },
      ],
    }),
  },
  { tool: 'list_comments', as: 'comments' },
  { tool: 'approve_comments', arguments: ({ comments }) => ({ items: [item(comments!.data, 0)] }) },
  {
    tool: 'reply_to_comment',
    arguments: ({ comments }) => ({ comment: comments!.data.comments[0].id, text: 'Yes, at no charge.' }),
  },
  {
    tool: 'reject_comments',
    arguments: ({ comments }) => ({ items: [{ ...item(comments!.data, 2), reason: 'spam' }] }),
  },
  {
    tool: 'delete_comment',
    arguments: ({ comments }) => ({ ...item(comments!.data, 1), reason: 'Asked for by its author.' }),
  },
];

/** What is read, and what should be looked at. */
export const insight: Example[] = [
  { tool: 'get_analytics', arguments: () => ({ range: '7d', metric: 'views' }) },
  { tool: 'top_content', arguments: () => ({ range: '7d' }) },
  { tool: 'content_stats', arguments: () => ({ by: 'status' }) },
  { tool: 'broken_links', arguments: () => ({ kind: 'internal' }) },
];
