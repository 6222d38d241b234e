import { assetTypes } from '@cloudhal/shared/site/asset';
import { maxEdits } from '../body/edit-body.ts';
import { bodyLimits } from '../body/markdown.ts';
import { maxOps } from '../body/patch-blocks.ts';
import { maxDepth } from '../content/pages.ts';
import { maxSections } from '../content/sections.ts';
import { mostPixels } from '../media/images.ts';

/** Bytes of a file that may ride in an argument. */
export const mostInline = 256 * 1024;

/** What one import may hold. */
export const importLimits = { items: 50, bytes: 400 * 1024 } as const;

/** What an agent may meet, as `get_site` tells it. */
export const limits = {
  bodyBytes: bodyLimits.bytes,
  bodyBlocks: bodyLimits.blocks,
  editsPerCall: maxEdits,
  opsPerCall: maxOps,
  sectionsPerPage: maxSections,
  pageDepth: maxDepth,
  importItems: importLimits.items,
  importBytes: importLimits.bytes,
  listItems: 100,
  /** Of a file in an argument; `assetBytes` is said beside it for those that are uploaded or fetched. */
  assetInlineBytes: mostInline,
  assetPixels: mostPixels,
  assetTypes,
} as const;
