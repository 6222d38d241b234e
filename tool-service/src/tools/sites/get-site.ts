import { sectionTypes } from '@cloudhal/shared/site/section-types';
import type { SiteBody } from '@cloudhal/shared/site/shapes';
import { Type } from 'typebox';
import type { Call } from '../../call.ts';
import { Input, readTool } from '../../define-tool.ts';
import type { View } from '../../graph/view.ts';
import { Choice, Site } from '../arguments.ts';
import { limits } from '../limits.ts';
import { contentTypes } from './content-types.ts';
import { SiteHeadData, siteHead } from './site-data.ts';

const parts = ['settings', 'schema', 'counts', 'limits'] as const;
type Part = (typeof parts)[number];

export const getSite = readTool({
  name: 'get_site',
  title: 'Read a site',
  description: 'One site: settings, locales, publishing window, content types, counts and limits. Call it first.',
  scopes: ['site:read'],
  toolsets: ['core', 'editorial'],
  input: Input({
    site: Site,
    include: Type.Optional(
      Type.Array(Choice(parts, 'A part.'), { maxItems: 4, description: 'Only these parts; all when absent.' }),
    ),
  }),
  output: Type.Object({ ...SiteHeadData.properties, rev: Type.Integer() }),
  async run({ include = [...parts] }, view, call) {
    const { body, rev } = await view.get('site', view.siteId);
    const asked = new Set<Part>(include);
    return {
      data: {
        ...siteHead(await view.head()),
        rev,
        ...(asked.has('settings') && (await settings(body, view, call))),
        ...(asked.has('schema') && {
          contentTypes: await contentTypes(view),
          sectionTypes: Object.keys(sectionTypes),
        }),
        ...(asked.has('counts') && { counts: await view.counts() }),
        ...(asked.has('limits') && { limits: { ...limits, assetBytes: call.can.media.maxBytes } }),
      },
      next: ['get_content_type says which fields a type has.'],
    };
  },
});

async function settings({ tagline, seo, homePage, social, comments }: SiteBody, view: View, call: Call) {
  const { publishingWindow, smallPublishNodes } = await call.can.siteRules(view.siteId);
  return {
    ...(tagline !== undefined && { tagline }),
    ...(seo && { seo }),
    ...(homePage !== undefined && { homePage }),
    ...(social && { social }),
    ...(comments && { comments }),
    publishing: { window: publishingWindow ?? 'open at all times', smallPublishNodes },
  };
}
