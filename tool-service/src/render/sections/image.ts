import type { sectionTypes } from '@cloudhal/shared/site/section-types';
import type { Static } from 'typebox';
import { figure } from '../figure.ts';
import { html } from '../html.ts';
import type { SectionContext } from './index.ts';

type Props = Static<(typeof sectionTypes)['image']['props']>;

export function image({ asset, ...said }: Props, context: SectionContext) {
  const shown = figure(context, asset, said);
  return shown ? html`<section class="section">${shown}</section>` : html``;
}
