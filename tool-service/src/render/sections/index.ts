import type { SectionType } from '@cloudhal/shared/site/section-types';
import type { Section } from '@cloudhal/shared/site/shapes';
import type { Context, EntryCard } from '../context.ts';
import { type Html, html } from '../html.ts';
import { callToAction } from './call-to-action.ts';
import { cards } from './cards.ts';
import { entries } from './entries.ts';
import { hero } from './hero.ts';
import { image } from './image.ts';
import { quote } from './quote.ts';
import { text } from './text.ts';

export type SectionContext = Context & {
  /** This section opens the page and brings its main heading. */
  first: boolean;
  /** The newest published entries of the types that sections of the page list, newest first. */
  entriesByType: Record<string, readonly EntryCard[]>;
};

// Props are held against each type's schema when they are written.
type Renderer = (props: never, context: SectionContext) => Html;

const renderers: Record<SectionType, Renderer> = {
  hero,
  text,
  image,
  cards,
  entries,
  quote,
  call_to_action: callToAction,
};

/** A section as HTML; one of a type that this theme does not know is left out. */
export function renderSection({ type, props }: Section, context: SectionContext): Html {
  if (!Object.hasOwn(renderers, type)) return html``;
  return renderers[type as SectionType](props as never, context);
}
