import { fail } from '@cloudhal/shared/errors';
import { findTranslation, getOriginal, targetLocale } from '../../content/translations.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { LocaleInto, NodeRef, Note, Rev, Site } from '../arguments.ts';
import { removeNode } from '../remove-node.ts';
import { VariantData, variantHead } from './translation-data.ts';

export const deleteTranslation = writeTool({
  name: 'delete_translation',
  title: 'Delete a translation',
  description:
    'Moves the translation into one locale to the trash; restore_node brings it back. Refused while readers see it: unpublish it first.',
  effect: 'delete',
  scopes: ['translations:write', 'content:delete'],
  toolsets: ['i18n'],
  hints: { destructive: true, idempotent: true },
  assess: true,
  exclusive: true,
  input: Input({ site: Site, node: NodeRef, locale: LocaleInto, rev: Rev('get_translation'), note: Note }),
  output: VariantData,
  async run({ node, locale, rev }, draft) {
    const original = await getOriginal(draft, node);
    await targetLocale(draft, original, locale);
    const variant = await findTranslation(draft, original, locale);
    if (!variant) throw fail('not_found', { what: `${locale} translation of`, id: original.id });
    const { rev: after } = await removeNode(draft, variant, rev, { unpublish: false, onInboundLinks: 'refuse' });
    return { data: { ...variantHead(variant), rev: after }, rev: after };
  },
});
