import { fail } from '@cloudhal/shared/errors';
import { Type } from 'typebox';
import { getAsset, plainFilename } from '../../content/assets.ts';
import { siteLocale } from '../../content/entries.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { Choice, LocaleArg, Note, Rev, Site } from '../arguments.ts';
import { AltArg, AssetHeadData, AssetRef, assetData, CreditArg, FilenameArg, LicenceArg } from './asset-data.ts';

const removable = ['alt', 'caption', 'credit', 'licence', 'focalPoint'] as const;
const Share = Type.Number({ minimum: 0, maximum: 1 });

export const updateAsset = writeTool({
  name: 'update_asset',
  title: 'Change an asset',
  description: 'What is said of an asset; alt text and caption are of one locale.',
  effect: 'edit',
  scopes: ['media:write'],
  toolsets: ['media'],
  hints: { destructive: false, idempotent: true },
  input: Input({
    site: Site,
    asset: AssetRef,
    rev: Rev('get_asset'),
    set: Type.Optional(
      Type.Object(
        {
          filename: Type.Optional(FilenameArg),
          alt: Type.Optional(AltArg),
          caption: Type.Optional(Type.String({ minLength: 1, maxLength: 1000, description: 'A line under it.' })),
          credit: Type.Optional(CreditArg),
          licence: Type.Optional(LicenceArg),
          focalPoint: Type.Optional(
            Type.Object(
              {
                x: Type.Number({ ...Share, description: 'From the left.' }),
                y: Type.Number({ ...Share, description: 'From the top.' }),
              },
              { additionalProperties: false, description: 'What stays in view, 0 to 1.' },
            ),
          ),
        },
        { additionalProperties: false, description: 'What to set.' },
      ),
    ),
    unset: Type.Optional(
      Type.Array(Choice(removable, 'A member.'), { maxItems: removable.length, description: 'What to remove.' }),
    ),
    locale: LocaleArg,
    note: Note,
  }),
  output: AssetHeadData,
  async run({ asset, rev, set = {}, unset = [], locale: asked }, draft, { principal }) {
    const both = unset.find((name) => set[name] !== undefined);
    if (both !== undefined) throw fail('validation_failed', { path: 'unset', expected: `not ${both}, which set sets` });
    const { id } = await getAsset(draft, asset);
    const locale = await siteLocale(draft, asked);
    const { alt, caption, filename, ...rest } = set;
    const node = await draft.save('asset', id, rev, (body) => {
      const alts = inLocale(body.alt, locale, alt, unset.includes('alt'));
      const captions = inLocale(body.caption, locale, caption, unset.includes('caption'));
      const { caption: _, untrusted, ...kept } = { ...body, ...rest };
      if (unset.includes('credit')) delete kept.credit;
      if (unset.includes('licence')) delete kept.licence;
      if (unset.includes('focalPoint')) delete kept.focalPoint;
      return {
        ...kept,
        alt: alts,
        ...(Object.keys(captions).length > 0 && { caption: captions }),
        ...(untrusted && principal.kind !== 'person' && { untrusted }),
        ...(filename !== undefined && { filename: plainFilename(filename, body.type) }),
      };
    });
    return { data: assetData(node), rev: node.rev };
  },
});

function inLocale(texts: Record<string, string> = {}, locale: string, text: string | undefined, remove: boolean) {
  const { [locale]: before, ...others } = texts;
  const now = remove ? undefined : (text ?? before);
  return { ...others, ...(now !== undefined && { [locale]: now }) };
}
