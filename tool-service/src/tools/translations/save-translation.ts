import { Type } from 'typebox';
import { maxOps } from '../../body/patch-blocks.ts';
import { saveTranslation as save } from '../../content/save-translation.ts';
import { standings } from '../../content/translation-texts.ts';
import { getOriginal, targetLocale, textsOf } from '../../content/translations.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { BodyText, LocaleInto, Members, NodeRef, Note, Site, SlugArg } from '../arguments.ts';
import { VariantData, variantHead } from './translation-data.ts';

const Block = Type.Object(
  {
    block: Type.String({ maxLength: 200, description: 'As get_translation names it.' }),
    text: Type.String({ maxLength: 100_000, description: 'The translation.' }),
  },
  { additionalProperties: false },
);

export const saveTranslation = writeTool({
  name: 'save_translation',
  title: 'Save a translation',
  description:
    'Saves a whole translation (body) or some texts of it (fields, blocks) as a draft. The rest, and every other locale, stays as it is.',
  effect: 'edit',
  scopes: ['translations:write'],
  toolsets: ['i18n'],
  hints: { destructive: false, idempotent: true },
  input: Input({
    site: Site,
    node: NodeRef,
    locale: LocaleInto,
    rev: Type.Integer({
      minimum: 0,
      description: "The translation's rev that get_translation returned; 0 for a new one.",
    }),
    sourceRev: Type.Integer({ minimum: 1, description: 'The sourceRev that get_translation returned.' }),
    fields: Type.Optional(Members('Fields by name, such as title.')),
    body: Type.Optional(BodyText),
    blocks: Type.Optional(Type.Array(Block, { minItems: 1, maxItems: maxOps, description: 'Blocks, translated.' })),
    slug: Type.Optional(SlugArg),
    note: Note,
  }),
  output: Type.Object({ ...VariantData.properties, untranslated: Type.Integer(), changed: Type.Integer() }),
  async run({ site: _, note: __, node, ...saved }, draft, { principal }) {
    const original = await getOriginal(draft, node);
    await targetLocale(draft, original, saved.locale);
    const variant = await save(draft, original, { ...saved, byPerson: principal.kind === 'person' });
    const all = [...standings(await textsOf(draft, original), variant.body.translated).values()];
    const [untranslated, changed] = (['untranslated', 'changed'] as const).map(
      (standing) => all.filter((one) => one === standing).length,
    );
    return {
      data: { ...variantHead(variant), untranslated: untranslated!, changed: changed! },
      rev: variant.rev,
      ...(original.rev > saved.sourceRev && {
        warnings: [`The original is at rev ${original.rev} by now; get_translation says what changed since.`],
      }),
    };
  },
});
