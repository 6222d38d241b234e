import type { sectionTypes } from '@cloudhal/shared/site/section-types';
import type { Static } from 'typebox';
import { link } from '../context.ts';
import { heading } from '../entry-list.ts';
import { picture } from '../figure.ts';
import { html } from '../html.ts';
import type { SectionContext } from './index.ts';

const wideSizes = '(min-width: 72rem) 72rem, 100vw';

type Props = Static<(typeof sectionTypes)['hero']['props']>;

/** The page's main heading where it opens the page. */
export function hero(props: Props, context: SectionContext) {
  const links = props.links ?? [];
  const image =
    props.image && picture(context, props.image, { class: 'wide-image', eager: context.first, sizes: wideSizes });
  return html`<section class="section hero">${image}${heading(context.first ? 1 : 2, props.heading)}${
    props.text && html`<p class="lead">${props.text}</p>`
  }${
    links.length > 0 &&
    html`<ul class="actions">${links.map(
      ({ label, href }, index) =>
        html`<li>${link(context, href, label, { class: index === 0 ? 'button first' : 'button' })}</li>`,
    )}</ul>`
  }</section>`;
}
