import type { Correction } from '@cloudhal/shared/site/correction';
import type { Context } from './context.ts';
import { timeOf } from './entry-list.ts';
import { type Html, html } from './html.ts';

/** Says first of all that an entry no longer stands. */
export function retractions(corrections: readonly Correction[], context: Context): Html | undefined {
  const retracted = corrections.filter(({ kind }) => kind === 'retraction');
  if (retracted.length === 0) return undefined;
  return html`<div class="retracted" role="note">${retracted.map((note) => noteOf(note, context))}</div>`;
}

/** What was wrong in an entry and is right now, newest first; retractions stand above the text. */
export function corrections(all: readonly Correction[], context: Context): Html | undefined {
  const notes = all.filter(({ kind }) => kind !== 'retraction').reverse();
  if (notes.length === 0) return undefined;
  return html`<section class="corrections" aria-labelledby="corrections"><h2 id="corrections">${context.words.corrections}</h2>${notes.map(
    (note) => noteOf(note, context),
  )}</section>`;
}

function noteOf({ kind, text, correctedAt }: Correction, { words, locale }: Context): Html {
  return html`<p><strong>${words[kind]}, ${timeOf(correctedAt, locale)}:</strong> ${text}</p>`;
}
