import { type Context, link } from './context.ts';
import { html } from './html.ts';

/** One page of a longer list: its number, from 1, and the paths of its neighbours, such as `/articles/page/2`. */
export type ListPage = { number: number; newer?: string; older?: string };

/** The way to the pages before and after this one; nothing where all is on one. */
export function pageLinks(context: Context, { newer, older }: ListPage) {
  const { words } = context;
  return (
    (newer || older) &&
    html`<nav class="pages" aria-label="${words.pages}">${newer ? link(context, newer, `← ${words.newer}`) : html`<span></span>`}${
      older && link(context, older, `${words.older} →`)
    }</nav>`
  );
}
