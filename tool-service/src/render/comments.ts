import type { Context } from './context.ts';
import { link } from './context.ts';
import { timeOf } from './entry-list.ts';
import { type Html, html } from './html.ts';

/** A comment as readers see it. Without text it was erased. */
export type ShownComment = {
  id: string;
  /** In the site's name. */
  official: boolean;
  /** YYYY-MM-DD */
  date: string;
  author?: string;
  text?: string;
  answers: readonly ShownComment[];
};

/** What readers said under an entry, and whether they may say more. */
export type Comments = { open: boolean; list: readonly ShownComment[] };

export function commentsOf(context: Context, { open, list }: Comments): Html | undefined {
  if (!open && list.length === 0) return undefined;
  const { words, path } = context;
  return html`<section class="comments column" aria-labelledby="comments"><h2 id="comments">${words.comments}</h2>
${list.length > 0 && html`<ol>${list.map((comment) => commentOf(context, comment))}</ol>`}
${open && html`<p>${link(context, `${path}/comments`, words.writeComment)}</p>`}
</section>`;
}

function commentOf(context: Context, { id, official, date, author, text, answers }: ShownComment): Html {
  const { site, locale, words } = context;
  const who = official ? html`<strong>${site.title}</strong>` : html`<bdi>${author}</bdi>`;
  const said =
    text === undefined
      ? html`<p class="gone">${words.commentGone}</p>`
      : html`<p class="meta"><span>${who}</span><span>${timeOf(date, locale)}</span></p>
${text.split(/\n{2,}/).map((part) => html`<p dir="auto">${part.split('\n').map((line, i) => html`${i > 0 && html`<br>`}${line}`)}</p>`)}`;
  return html`<li id="${id}"${official && html` class="official"`}>${said}
${answers.length > 0 && html`<ol>${answers.map((answer) => commentOf(context, answer))}</ol>`}</li>
`;
}
