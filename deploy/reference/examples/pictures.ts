import { createHash } from 'node:crypto';
import type { Example } from './example.ts';

/** A picture of one colour, 40 × 24. */
export const boat =
  'iVBORw0KGgoAAAANSUhEUgAAACgAAAAYCAMAAAC/Wk/yAAAAA1BMVEULXWt+WknyAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAEUlEQVQokWNgGAWjYBQMNwAAA9gAAZCb/X8AAAAASUVORK5CYII=';
/** Another, 32 × 32. */
const sand =
  'iVBORw0KGgoAAAANSUhEUgAAACAAAAAgCAMAAABEpIrGAAAAA1BMVEXJiitU1BmUAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAAE0lEQVQ4jWNgGAWjYBSMAgasAAAEIAABMVaGxQAAAABJRU5ErkJggg==';
const bytes = Buffer.from(sand, 'base64');

/** Files of the site. */
export const media: Example[] = [
  {
    tool: 'upload_asset',
    arguments: () => ({ filename: 'boat.png', base64: boat, alt: 'The ferry at its berth', credit: 'Ada Quay' }),
    as: 'boat',
  },
  {
    tool: 'start_asset_upload',
    arguments: () => ({
      filename: 'sand.png',
      mime: 'image/png',
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    }),
  },
  {
    tool: 'upload_asset',
    arguments: () => ({ filename: 'sand.png', base64: sand, alt: '' }),
    as: 'sand',
  },
  {
    tool: 'fetch_asset_url',
    before: async ({ pictureUrl }, made) => {
      made.elsewhere = { id: pictureUrl, rev: 0, snapshot: '', data: {} };
    },
    arguments: ({ elsewhere }) => ({ url: elsewhere!.id, alt: 'The chart of the bay', licence: 'CC BY 4.0' }),
  },
  { tool: 'list_assets', arguments: () => ({ type: 'image' }) },
  { tool: 'get_asset', arguments: ({ boat }) => ({ asset: boat!.id }) },
  {
    tool: 'update_asset',
    arguments: ({ boat }) => ({ asset: boat!.id, rev: boat!.rev, set: { caption: 'Back from the dry dock.' } }),
  },
  { tool: 'delete_asset', arguments: ({ sand }) => ({ asset: sand!.id, rev: sand!.rev }) },
];
