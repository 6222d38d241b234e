import type { Rendered } from '@cloudhal/shared/contracts';
import type { Database } from '@cloudhal/shared/database';
import type { Static } from 'typebox';
import { titleOf } from '../changes/title.ts';
import { cleanWords, commentLimits, faultOf } from '../comments/clean-text.ts';
import { takeComment } from '../comments/take-comment.ts';
import type { GraphNode } from '../graph/node.ts';
import {
  type CommentProblem,
  contentSecurityPolicy,
  renderCommentForm,
  renderCommentThanks,
  type SiteFrame,
} from '../render/index.ts';

type Served = Static<typeof Rendered>;
/** What readers find at a path. */
type Find = (path: string) => Promise<GraphNode | undefined>;

const contentType = 'text/html; charset=utf-8';

/** The form for a comment, at `<entry>/comments`, and the page behind it; `undefined` where none may be written. */
export async function commentPage(
  frame: SiteFrame,
  path: string,
  token: string,
  find: Find,
): Promise<Served | undefined> {
  const [, entryPath, sent] = /^(\/.+)\/comments(\/sent)?$/.exec(path) ?? [];
  const entry = entryPath === undefined ? undefined : await openEntry(frame, entryPath, find);
  if (!entry) return undefined;
  if (sent)
    return {
      status: 200,
      html: renderCommentThanks({ ...frame, entry }),
      contentType,
      policy: contentSecurityPolicy(frame),
    };
  return form(frame, entry, token);
}

export type Written = { path: string; author: string; text: string; form: string; problem?: 'quick' | 'expired' };

/** Takes what a reader wrote, or shows the form again with their words still in it and what is the matter. */
export async function answerComment(
  database: Database,
  siteId: string,
  frame: SiteFrame,
  { path, form: token, problem, ...said }: Written,
  find: Find,
): Promise<Served | undefined> {
  const entry = await openEntry(frame, path, find);
  if (!entry) return undefined;
  const words = cleanWords(said);
  const fault = problem ?? faultOf(words);
  if (fault) return form(frame, entry, token, { problem: fault, said: words });
  const taken = await takeComment(database, { site: siteId, siteTitle: frame.site.title, entry: entry.id }, words);
  if (!taken) return form(frame, entry, token, { problem: 'full', said: words });
  return { status: 303, html: '', contentType, location: `${frame.basePath}${path}/comments/sent` };
}

type Entry = { id: string; path: string; title: string; locale: string };

async function openEntry({ site }: SiteFrame, path: string, find: Find): Promise<Entry | undefined> {
  const node = site.comments === 'open' ? await find(path) : undefined;
  if (node?.kind !== 'entry') return undefined;
  const entry = node as GraphNode<'entry'>;
  return { id: entry.id, path, title: titleOf(entry), locale: entry.body.locale };
}

function form(
  frame: SiteFrame,
  entry: Entry,
  token: string,
  again?: { problem: CommentProblem; said: { author: string; text: string } },
): Served {
  const html = renderCommentForm({ ...frame, entry, token, limits: commentLimits, ...again });
  return { status: again ? 422 : 200, html, contentType, policy: contentSecurityPolicy(frame, { form: true }) };
}
