import { Type } from 'typebox';
import { titleOf } from '../../changes/title.ts';
import { siteLocale } from '../../content/entries.ts';
import { standings, stateOf, type TranslationState, translationStates } from '../../content/translation-texts.ts';
import {
  type Translatable,
  type TranslatableKind,
  textsOf,
  translatableKinds,
  variantsOf,
} from '../../content/translations.ts';
import { Input, readTool } from '../../define-tool.ts';
import { fromCursor, toCursor } from '../../graph/cursor.ts';
import type { View } from '../../graph/view.ts';
import { Choice, Cursor, LocaleArg, Site } from '../arguments.ts';
import { isImported } from '../untrusted.ts';
import { Rows } from './translation-data.ts';

/** Originals that one answer looks at, so that a site of any size answers in time. */
const looked = 400;
const perStep = 50;

export const translationStatus = readTool({
  name: 'translation_status',
  title: 'Read the state of translations',
  description:
    'Originals by locale: missing, partial (some texts never translated), stale (texts changed since; how many) or current. With a state, only those in it.',
  scopes: ['content:read'],
  toolsets: ['i18n'],
  input: Input({
    site: Site,
    locale: LocaleArg,
    kinds: Type.Optional(
      Type.Array(Choice(translatableKinds, 'A kind.'), { minItems: 1, maxItems: 2, description: 'Only these kinds.' }),
    ),
    state: Type.Optional(Choice(translationStates, 'Only this state.')),
    cursor: Cursor,
  }),
  output: Type.Object({ items: Rows }),
  async run({ locale, kinds = [...translatableKinds], state, cursor }, view) {
    const locales = locale === undefined ? (await view.head()).locales : [await siteLocale(view, locale)];
    let after = cursor === undefined ? '' : fromCursor(cursor, 'string')[0];
    const items: object[] = [];
    let seen = 0;
    for (;;) {
      const originals = await originalsAfter(view, kinds, after);
      const rows = await Promise.all(originals.map((original) => statesOf(view, original, locales)));
      for (const { states, ...row } of rows) {
        const shown = Object.entries(states).filter(([, one]) => state === undefined || one.state === state);
        if (shown.length > 0) items.push({ ...row, locales: Object.fromEntries(shown) });
      }
      seen += originals.length;
      after = originals.at(-1)?.id ?? after;
      if (originals.length < perStep) return { data: { items } };
      if (items.length >= perStep || seen >= looked) return { data: { items }, cursor: toCursor(after) };
    }
  },
});

/** Originals in the order of their ids. */
async function originalsAfter(view: View, kinds: readonly TranslatableKind[], after: string): Promise<Translatable[]> {
  const rows = await view.rows<{ id: string }>(
    `SELECT v.node_id AS id FROM tools.ver v JOIN tools.body b ON b.hash = v.hash
     WHERE v.site_id = $1 AND v.track = 'draft' AND v.to_seq IS NULL AND NOT v.deleted AND v.kind = ANY($2)
       AND b.doc->'translation' IS NULL AND v.node_id > $3
     ORDER BY v.node_id LIMIT ${perStep}`,
    [kinds, after],
  );
  return (await view.nodes(rows.map(({ id }) => id))) as Translatable[];
}

type State = { state: TranslationState; id?: string; rev?: number; changed?: number; untranslated?: number };

async function statesOf(view: View, original: Translatable, locales: readonly string[]) {
  const wanted = locales.filter((locale) => locale !== original.body.locale);
  const [variants, texts] = await Promise.all([variantsOf(view, original, wanted), textsOf(view, original)]);
  const states = wanted.map((locale): [string, State] => {
    const variant = variants.get(locale);
    if (!variant) return [locale, { state: 'missing' }];
    const all = [...standings(texts, variant.body.translated).values()];
    const count = (standing: string) => all.filter((one) => one === standing).length;
    const [changed, untranslated] = [count('changed'), count('untranslated')];
    return [
      locale,
      {
        state: stateOf(all),
        id: variant.id,
        rev: variant.rev,
        ...(changed > 0 && { changed }),
        ...(untranslated > 0 && { untranslated }),
      },
    ];
  });
  const { id, kind, rev, body } = original;
  return {
    node: id,
    kind,
    rev,
    locale: body.locale,
    ...(!isImported(original) && { title: titleOf(original) }),
    states: Object.fromEntries(states),
  };
}
