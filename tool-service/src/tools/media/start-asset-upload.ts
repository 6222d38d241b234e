import { fail } from '@cloudhal/shared/errors';
import { Type } from 'typebox';
import { Input, viewTool } from '../../define-tool.ts';
import { isAccepted, unsupported } from '../../media/sniff-type.ts';
import { Site } from '../arguments.ts';
import { FilenameArg, Sha256 } from './asset-data.ts';

export const startAssetUpload = viewTool({
  name: 'start_asset_upload',
  title: 'Start an upload',
  description: 'A one-time address: PUT the file there within 30 minutes, then call upload_asset.',
  effect: 'ask',
  scopes: ['media:write'],
  toolsets: ['media'],
  hints: { readOnly: false, destructive: false, idempotent: false },
  input: Input({
    site: Site,
    filename: FilenameArg,
    mime: Type.String({ maxLength: 100, description: 'Its media type, such as image/jpeg.' }),
    bytes: Type.Integer({ minimum: 1, description: 'Its size.' }),
    sha256: Sha256,
  }),
  output: Type.Object({ uploadId: Type.String(), url: Type.String(), expiresAt: Type.String() }),
  async run({ mime, bytes, sha256 }, view, call) {
    if (!isAccepted(mime)) throw unsupported(mime);
    const { maxBytes } = call.can.media;
    if (bytes > maxBytes) throw fail('limit_exceeded', { what: 'The file', max: `${maxBytes} bytes` });
    const wish = { site: view.siteId, principal: call.principal.id, mime, bytes, sha256 };
    const upload = await call.can.media.openUpload(wish);
    return {
      data: upload,
      next: [`PUT the ${bytes} bytes to the url, then call upload_asset with uploadId ${upload.uploadId}.`],
    };
  },
});
