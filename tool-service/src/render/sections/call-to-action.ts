import type { sectionTypes } from '@cloudhal/shared/site/section-types';
import type { Static } from 'typebox';
import { link } from '../context.ts';
import { html } from '../html.ts';
import type { SectionContext } from './index.ts';

type Props = Static<(typeof sectionTypes)['call_to_action']['props']>;

export function callToAction(props: Props, context: SectionContext) {
  return html`<section class="section"><div class="call"><p>${props.text}</p>${link(
    context,
    props.link.href,
    props.link.label,
    {
      class: 'button first',
    },
  )}</div></section>`;
}
