import type { sectionTypes } from '@cloudhal/shared/site/section-types';
import type { Static } from 'typebox';
import { entryList, heading } from '../entry-list.ts';
import { html } from '../html.ts';
import type { SectionContext } from './index.ts';

type Props = Static<(typeof sectionTypes)['entries']['props']>;

export const defaultEntries = 10;

export function entries(props: Props, context: SectionContext) {
  const cards = (context.entriesByType[props.type] ?? []).slice(0, props.limit ?? defaultEntries);
  return html`<section class="section column">${props.heading && heading(2, props.heading)}${
    cards.length > 0
      ? entryList(context, cards, props.heading ? 3 : 2)
      : html`<p class="meta">${context.words.empty}</p>`
  }</section>`;
}
