import { fail } from '@cloudhal/shared/errors';
import { Type } from 'typebox';
import { mergeFields } from '../../content/merge-fields.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { contrastFaults } from '../../design/contrast.ts';
import { defaultPreset } from '../../design/presets.ts';
import { saveSiteNode } from '../../design/site-node.ts';
import { designOf, presetNames, readToken, type Token } from '../../design/tokens.ts';
import { Choice, Members, Note, Site } from '../arguments.ts';

export const setDesign = writeTool({
  name: 'set_design',
  title: 'Change the design',
  description:
    'Changes tokens by name, such as light.accent or type.text, and leaves the rest. Colours below WCAG AA are refused with their contrast.',
  effect: 'edit',
  scopes: ['design:write'],
  toolsets: ['design'],
  hints: { destructive: false, idempotent: true },
  input: Input({
    site: Site,
    rev: Type.Integer({ minimum: 0, description: 'The rev that get_design returned.' }),
    preset: Type.Optional(Choice(presetNames, 'Where the colours start.')),
    set: Type.Optional(Members('Tokens to set.')),
    unset: Type.Optional(
      Type.Array(Type.String({ maxLength: 64 }), { maxItems: 50, description: 'Tokens to take back to the preset.' }),
    ),
    note: Note,
  }),
  output: Type.Object({ id: Type.String(), preset: Type.String(), tokens: Type.Unsafe<object>({ type: 'object' }) }),
  async run({ rev, preset, set = {}, unset }, draft) {
    const read = Object.fromEntries(Object.entries(set).map(([name, value]) => [name, readToken(name, value)]));
    const node = await saveSiteNode(draft, 'design', rev, { preset: defaultPreset, tokens: {} }, (body) => ({
      preset: preset ?? body.preset,
      tokens: mergeFields(body.tokens, read, unset) as Record<string, Token>,
    }));
    const faults = contrastFaults(designOf(node.body));
    if (faults.length > 0) throw fail('validation_failed', { path: 'set', expected: faults.slice(0, 5).join('; ') });
    const next = [`Show it with preview_page of ${node.id}; publish makes it live.`];
    return { data: { id: node.id, ...node.body }, rev: node.rev, next };
  },
});
