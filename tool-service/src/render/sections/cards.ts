import type { sectionTypes } from '@cloudhal/shared/site/section-types';
import type { Static } from 'typebox';
import { link } from '../context.ts';
import { heading } from '../entry-list.ts';
import { html } from '../html.ts';
import type { SectionContext } from './index.ts';

type Props = Static<(typeof sectionTypes)['cards']['props']>;

export function cards(props: Props, context: SectionContext) {
  return html`<section class="section">${props.heading && heading(2, props.heading)}<ul class="cards">${props.items.map(
    (item) => html`<li class="card">${heading(
      props.heading ? 3 : 2,
      item.href ? link(context, item.href, item.title) : item.title,
    )}${item.text && html`<p>${item.text}</p>`}</li>
`,
  )}</ul></section>`;
}
