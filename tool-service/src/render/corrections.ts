import type { Correction } from '@cloudhal/shared/site/correction';
import type { Context } from './context.ts';
import { timeOf } from './entry-list.ts';
import { type Html, html } from './html.ts';

/** A correction as a page shows it: of the entry itself, or of the original that it is a translation of. */
export type ShownCorrection = Correction & { /** Where it is not the page's. */ locale?: string };

/** Those of a translation and of its original, without what the translation says itself of the same day. */
export function withOriginal(
  own: readonly Correction[],
  original: { locale: string; corrections: readonly Correction[] } | undefined,
): ShownCorrection[] {
  const said = new Set(own.map(({ kind, correctedAt }) => `${kind} ${correctedAt}`));
  const others = (original?.corrections ?? []).filter(({ kind, correctedAt }) => !said.has(`${kind} ${correctedAt}`));
  const all = [...others.map((correction) => ({ ...correction, locale: original!.locale })), ...own];
  return all.sort((a, b) => (a.correctedAt < b.correctedAt ? -1 : a.correctedAt > b.correctedAt ? 1 : 0));
}

/** Says first of all that an entry no longer stands. */
export function retractions(corrections: readonly ShownCorrection[], context: Context): Html | undefined {
  const retracted = corrections.filter(({ kind }) => kind === 'retraction');
  if (retracted.length === 0) return undefined;
  return html`<div class="retracted" role="note">${retracted.map((note) => noteOf(note, context))}</div>`;
}

/** What was wrong in an entry and is right now, newest first; retractions stand above the text. */
export function corrections(all: readonly ShownCorrection[], context: Context): Html | undefined {
  const notes = all.filter(({ kind }) => kind !== 'retraction').reverse();
  if (notes.length === 0) return undefined;
  return html`<section class="corrections" aria-labelledby="corrections"><h2 id="corrections">${context.words.corrections}</h2>${notes.map(
    (note) => noteOf(note, context),
  )}</section>`;
}

function noteOf({ kind, text, correctedAt, ...from }: ShownCorrection, { words, locale }: Context): Html {
  const said = from.locale === undefined ? text : html`<span lang="${from.locale}">${text}</span>`;
  return html`<p><strong>${words[kind]}, ${timeOf(correctedAt, locale)}:</strong> ${said}</p>`;
}
