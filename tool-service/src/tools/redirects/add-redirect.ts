import { quote } from '@cloudhal/shared/quote';
import type { RedirectBody } from '@cloudhal/shared/site/redirect';
import { Type } from 'typebox';
import { addRedirects, deadEnds, stillLive } from '../../content/redirects.ts';
import { Input, writeTool } from '../../define-tool.ts';
import type { Draft } from '../../graph/draft.ts';
import type { GraphNode } from '../../graph/node.ts';
import { RequestId, Site } from '../arguments.ts';
import { RedirectData, RedirectItem, redirectData } from './redirect-data.ts';

export const addRedirect = writeTool({
  name: 'add_redirect',
  title: 'Add redirects',
  description:
    'Leads old paths on to others, all of them or none; a person decides. They work once they are published. Chains, loops and paths that have a page of their own are refused.',
  effect: 'person',
  scopes: ['redirects:write'],
  toolsets: ['release'],
  hints: { destructive: false, idempotent: false },
  exclusive: true,
  input: Input({
    site: Site,
    items: Type.Array(RedirectItem, { minItems: 1, maxItems: 50, description: 'Redirects.' }),
    reason: Type.String({ minLength: 1, maxLength: 500, description: 'Why; shown to whoever approves.' }),
    requestId: RequestId,
  }),
  output: Type.Object({ redirects: Type.Array(RedirectData) }),
  async run({ items }, draft) {
    const made = await addRedirects(draft, items);
    const warnings = await notes(draft, made);
    return {
      data: { redirects: made.map(redirectData) },
      ...(warnings.length > 0 && { warnings }),
      next: ['Publish them: until then readers are not led on.'],
    };
  },
  async assess(_, draft, dry) {
    const made = draft.changes.flatMap(({ after }) => (after as GraphNode<'redirect'>) ?? []);
    const lines = [...made.map(({ body }) => leads(body)), ...(await notes(draft, made))];
    return { summary: { ...dry.summary, lines: [...lines, ...dry.summary.lines] } };
  },
});

function leads({ from, to, status }: RedirectBody): string {
  return to === undefined
    ? `${quote(from, 300)} is gone (410).`
    : `${quote(from, 300)} leads to ${quote(to, 300)} (${status}).`;
}

async function notes(draft: Draft, redirects: readonly GraphNode<'redirect'>[]): Promise<string[]> {
  const bodies = redirects.map(({ body }) => body);
  return [...(await deadEnds(draft, bodies)), ...(await stillLive(draft, bodies))];
}
