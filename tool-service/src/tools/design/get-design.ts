import { Type } from 'typebox';
import { Input, readTool } from '../../define-tool.ts';
import { contrastsOf } from '../../design/contrast.ts';
import { fonts } from '../../design/fonts.ts';
import { defaultPreset } from '../../design/presets.ts';
import { findSiteNode } from '../../design/site-node.ts';
import { designOf, presetNames, tokensOf } from '../../design/tokens.ts';
import { Site, SnapshotOfView, stateAsked, ViewArg } from '../arguments.ts';

const Open = Type.Unsafe<object>({ type: 'object' });
const Names = Type.Array(Type.String());

export const getDesign = readTool({
  name: 'get_design',
  title: 'Read the design',
  description:
    'The tokens of the published pages, what there is to choose from, and the contrast of each pair of colours.',
  scopes: ['design:read'],
  toolsets: ['design'],
  input: Input({ site: Site, view: ViewArg, snapshot: SnapshotOfView }),
  output: Type.Object({
    rev: Type.Integer(),
    node: Type.Optional(Type.String()),
    preset: Type.String(),
    tokens: Open,
    own: Names,
    presets: Names,
    fonts: Names,
    contrast: Type.Array(Open),
  }),
  async run({ site: _, ...asked }, view) {
    const node = await findSiteNode(view, 'design', stateAsked(asked));
    const design = designOf(node?.body);
    return {
      data: {
        rev: node?.rev ?? 0,
        ...(node && { node: node.id }),
        preset: node?.body.preset ?? defaultPreset,
        tokens: tokensOf(design),
        own: Object.keys(node?.body.tokens ?? {}),
        presets: presetNames,
        fonts: Object.keys(fonts),
        contrast: contrastsOf(design).map(({ scheme: _, ...pair }) => pair),
      },
    };
  },
});
