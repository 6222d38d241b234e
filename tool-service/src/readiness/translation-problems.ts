import { standings, stateOf } from '../content/translation-texts.ts';
import { type Translatable, textsOf, translatableKinds, variantsOf } from '../content/translations.ts';
import type { GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';
import { nameOf } from '../tools/untrusted.ts';

export type TranslationProblems = {
  /** Translations that would not say what their original says. */
  problems: string[];
  /** Locales that a node has no text in; readers get the original there. */
  missing: { node: string; locales: string[] }[];
};

/** Where these nodes, as they would go live, and their originals or translations do not say the same. */
export async function translationProblems(view: View, nodes: readonly GraphNode[]): Promise<TranslationProblems> {
  const { locales } = await view.head();
  const found: TranslationProblems = { problems: [], missing: [] };
  if (locales.length < 2) return found;
  const going = new Map(nodes.map((node) => [node.id, node]));
  const asked = nodes.filter((node): node is Translatable =>
    (translatableKinds as readonly string[]).includes(node.kind),
  );
  for (const node of asked) {
    const of = node.body.translation?.of;
    if (of !== undefined) {
      const original = going.get(of) ?? (await view.nodes([of]))[0];
      if (original) found.problems.push(...(await behind(view, original as Translatable, node)));
      continue;
    }
    const variants = await variantsOf(view, node, locales);
    for (const variant of variants.values()) {
      // One that goes live as well is looked at by itself.
      if (variant.id === node.id || going.has(variant.id)) continue;
      const [live] = await view.nodes([variant.id], { track: 'live' });
      if (live) found.problems.push(...(await behind(view, node, live as Translatable)));
    }
    const missing = locales.filter((locale) => locale !== node.body.locale && !variants.has(locale));
    if (missing.length > 0) found.missing.push({ node: node.id, locales: missing });
  }
  return found;
}

async function behind(view: View, original: Translatable, variant: Translatable): Promise<string[]> {
  const state = stateOf(standings(await textsOf(view, original), variant.body.translated).values());
  if (state === 'current') return [];
  return [`The translation of ${nameOf(original)} into ${variant.body.locale} is ${state}.`];
}
