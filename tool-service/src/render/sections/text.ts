import type { sectionTypes } from '@cloudhal/shared/site/section-types';
import type { Static } from 'typebox';
import { html } from '../html.ts';
import { prose } from '../prose.ts';
import type { SectionContext } from './index.ts';

type Props = Static<(typeof sectionTypes)['text']['props']>;

export function text(props: Props, context: SectionContext) {
  return html`<section class="section prose column">${prose(props.markdown, { ...context, top: 2, names: context.words })}</section>`;
}
