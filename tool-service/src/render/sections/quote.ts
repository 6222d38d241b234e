import type { sectionTypes } from '@cloudhal/shared/site/section-types';
import type { Static } from 'typebox';
import { html } from '../html.ts';

type Props = Static<(typeof sectionTypes)['quote']['props']>;

export function quote(props: Props) {
  return html`<section class="section"><figure class="pull-quote"><blockquote><p>${props.text}</p></blockquote>${
    props.source && html`<figcaption>${props.source}</figcaption>`
  }</figure></section>`;
}
