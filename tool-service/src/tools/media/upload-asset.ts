import { sha256Of } from '@cloudhal/shared/blobs/blob-store';
import { fail } from '@cloudhal/shared/errors';
import { Type } from 'typebox';
import type { Call } from '../../call.ts';
import { addAsset } from '../../content/assets.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { makeAsset } from '../../media/make-asset.ts';
import { Note, Site } from '../arguments.ts';
import { mostInline } from '../limits.ts';
import { assetAnswer } from './asset-answer.ts';
import { AltArg, AssetHeadData, CreditArg, FilenameArg, LicenceArg } from './asset-data.ts';

export const uploadAsset = writeTool({
  name: 'upload_asset',
  title: 'Add an asset',
  description:
    'Makes an asset of a small file (base64, at most 256 KiB) or of a finished upload. The same bytes are the same asset.',
  effect: 'edit',
  scopes: ['media:write'],
  toolsets: ['media'],
  pool: 'media',
  hints: { destructive: false, idempotent: true },
  exclusive: true,
  input: Input({
    site: Site,
    filename: FilenameArg,
    base64: Type.Optional(Type.String({ minLength: 4, maxLength: 349_528, description: 'The file; or uploadId.' })),
    uploadId: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Of start_asset_upload.' })),
    alt: AltArg,
    credit: Type.Optional(CreditArg),
    licence: Type.Optional(LicenceArg),
    note: Note,
  }),
  output: AssetHeadData,
  async prepare({ base64, uploadId }, view, call) {
    if ((base64 === undefined) === (uploadId === undefined))
      throw fail('validation_failed', { path: 'base64', expected: 'either base64 or uploadId' });
    const bytes = base64 === undefined ? await uploaded(uploadId!, view.siteId, call) : decoded(base64);
    const { facts, files } = await makeAsset(bytes);
    await call.can.media.keep(files);
    return { facts, sha256: sha256Of(bytes) };
  },
  async run({ filename, uploadId, alt, credit, licence }, draft, _call, { facts, sha256 }) {
    const added = await addAsset(draft, { filename, facts, source: { sha256 }, alt, credit, licence });
    if (uploadId !== undefined && added.isNew) {
      draft.write(
        'UPDATE media.upload SET used_at = clock_timestamp() WHERE site_id = $1 AND id = $2 AND used_at IS NULL RETURNING 1',
        [uploadId],
        { rows: 1, otherwise: fail('not_found', { what: 'finished upload', id: uploadId }) },
      );
    }
    return assetAnswer(added);
  },
});

async function uploaded(id: string, site: string, { can, principal }: Call): Promise<Buffer> {
  const { bytes } = await can.media.readUpload(id, { site, principal: principal.id });
  return bytes;
}

function decoded(base64: string): Buffer {
  const bytes = Buffer.from(base64, 'base64');
  // The decoder passes over what is no base64; only what it would write itself was all of it.
  if (bytes.toString('base64').replace(/=+$/, '') !== base64.replace(/=+$/, ''))
    throw fail('validation_failed', { path: 'base64', expected: 'base64, without line breaks' });
  if (bytes.length > mostInline) throw fail('limit_exceeded', { what: 'The file', max: `${mostInline} bytes` });
  return bytes;
}
