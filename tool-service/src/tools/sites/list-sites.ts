import { Type } from 'typebox';
import { Input, sitesTool } from '../../define-tool.ts';
import { Cursor, Limit } from '../arguments.ts';
import { SiteHeadData, siteHead } from './site-data.ts';

export const listSites = sitesTool({
  name: 'list_sites',
  title: 'List sites',
  description: 'The sites you may see, with their newest snapshot, locales, and how many nodes wait to be published.',
  scopes: ['site:read'],
  toolsets: ['core', 'editorial'],
  input: Input({ cursor: Cursor, limit: Limit() }),
  output: Type.Object({ sites: Type.Array(SiteHeadData) }),
  async run(page, sites) {
    const { items, cursor } = await sites.sites(page);
    return {
      data: { sites: items.map((site) => ({ ...siteHead(site), unpublished: site.changedNodes })) },
      ...(cursor !== undefined && { cursor }),
    };
  },
});
