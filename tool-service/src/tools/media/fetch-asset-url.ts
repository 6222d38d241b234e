import { sha256Of } from '@cloudhal/shared/blobs/blob-store';
import { fail } from '@cloudhal/shared/errors';
import { Type } from 'typebox';
import { addAsset } from '../../content/assets.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { makeAsset } from '../../media/make-asset.ts';
import { Note, Site } from '../arguments.ts';
import { assetAnswer } from './asset-answer.ts';
import { AltArg, AssetHeadData, CreditArg, LicenceArg, Sha256 } from './asset-data.ts';

/** What servers say of files that can be an asset; what they are is found out from the bytes. */
const types = ['image/', 'application/pdf', 'application/octet-stream', 'binary/octet-stream'];
const longestMs = 15_000;

export const fetchAssetUrl = writeTool({
  name: 'fetch_asset_url',
  title: 'Fetch an asset',
  description: 'Makes an asset of the file at a public http or https address that you may use.',
  effect: 'edit',
  scopes: ['media:write'],
  toolsets: ['media'],
  pool: 'media',
  untrusted: true,
  hints: { destructive: false, idempotent: true, openWorld: true },
  exclusive: true,
  input: Input({
    site: Site,
    url: Type.String({ minLength: 1, maxLength: 2048, description: 'Where the file is.' }),
    alt: AltArg,
    credit: Type.Optional(CreditArg),
    licence: Type.Optional(LicenceArg),
    expectSha256: Type.Optional(Sha256),
    note: Note,
  }),
  output: AssetHeadData,
  async prepare({ url, expectSha256 }, _view, call) {
    const { fetch, media } = call.can;
    const found = await fetch(url, { maxBytes: media.maxBytes, types, timeoutMs: longestMs, signal: call.signal });
    if (found.status < 200 || found.status > 299)
      throw fail('fetch_failed', { reason: `the answer was ${found.status}` });
    const sha256 = sha256Of(found.body);
    if (expectSha256 !== undefined && expectSha256 !== sha256)
      throw fail('validation_failed', { path: 'expectSha256', expected: `${sha256}, which is what is there` });
    const { facts, files } = await makeAsset(found.body);
    await media.keep(files);
    return { facts, sha256, from: found.url, fetchedAt: call.now().toISOString() };
  },
  async run({ url, alt, credit, licence }, draft, _call, { facts, sha256, from, fetchedAt }) {
    const filename = decodeURIComponentOr(new URL(url).pathname.split('/').at(-1)!);
    const source = { sha256, url, fetchedAt };
    const said = { alt, credit, licence };
    const added = await addAsset(draft, { filename, facts, source, ...said, untrusted: true });
    return assetAnswer(added, from === url ? {} : { redirectedTo: from });
  },
});

function decodeURIComponentOr(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
