import { type Context, contextOf, link, type SiteFrame } from './context.ts';
import { html } from './html.ts';
import { layout } from './layout.ts';

/** Why a comment was not taken. */
export type CommentProblem = 'empty' | 'long' | 'quick' | 'expired' | 'full';

type Place = SiteFrame & {
  /** Where the entry is served, and what it is called. */
  entry: { path: string; title: string; locale: string };
};

export type CommentFormInput = Place & {
  /** What the form carries back to whoever serves it. */
  token: string;
  said?: { author: string; text: string };
  problem?: CommentProblem;
  limits: { author: number; text: number };
};

/** A page with the form that a comment is written in. It needs no script. */
export function renderCommentForm(input: CommentFormInput): string {
  const { basePath, entry, token, said, problem, limits } = input;
  const context = around(input);
  const { words } = context;
  return page(
    context,
    words.writeComment,
  )(html`
<p>${link(context, entry.path, entry.title)}</p>
${problem && html`<p class="problem" role="alert">${words.commentProblem[problem]}</p>`}
<form method="post" action="${basePath}${entry.path}/comments">
<input type="hidden" name="form" value="${token}">
<p class="trap"><label for="website">${words.commentTrap}</label><input id="website" name="website" tabindex="-1" autocomplete="off"></p>
<p><label for="author">${words.commentAuthor}</label><input id="author" name="author" autocomplete="nickname" required maxlength="${limits.author}" value="${said?.author}"></p>
<p><label for="text">${words.commentText}</label><textarea id="text" name="text" rows="8" required maxlength="${limits.text}">
${said?.text}</textarea></p>
<p class="meta">${words.commentNote}</p>
<p><button type="submit" class="button first">${words.commentSend}</button></p>
</form>`);
}

/** What a reader sees once their comment has been taken. */
export function renderCommentThanks(input: Place): string {
  const context = around(input);
  const { words } = context;
  return page(
    context,
    words.commentThanks,
  )(html`<p>${words.commentNote}</p>
<p>${link(context, input.entry.path, input.entry.title)}</p>`);
}

function around({ entry, ...frame }: Place): Context {
  return contextOf(frame, { path: `${entry.path}/comments`, locale: entry.locale });
}

function page(context: Context, title: string) {
  return (body: ReturnType<typeof html>) =>
    layout({
      context,
      title,
      noindex: true,
      main: html`<div class="column"><h1>${title}</h1>${body}</div>`,
    });
}
