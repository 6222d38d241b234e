import { fail } from '@cloudhal/shared/errors';
import { Type } from 'typebox';
import { checkNewLocale, localePattern } from '../../content/locales.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { Choice, Note, Rev, SeoArg, Site, TitleArg } from '../arguments.ts';

const optional = ['tagline', 'seo', 'social', 'homePage', 'comments'] as const;
const Href = Type.String({ maxLength: 2000, pattern: '^https?://', description: 'An http or https address.' });

export const updateSite = writeTool({
  name: 'update_site',
  title: 'Update a site',
  description:
    'Changes title, tagline, SEO defaults, social links, home page or comments, adds languages, and leaves the rest. Publishing rules are not set here: a person keeps them.',
  effect: 'edit',
  scopes: ['site:write'],
  toolsets: ['editorial'],
  hints: { destructive: false, idempotent: true },
  input: Input({
    site: Site,
    rev: Rev('get_site'),
    set: Type.Optional(
      Type.Object(
        {
          title: Type.Optional(TitleArg),
          tagline: Type.Optional(Type.String({ maxLength: 1000, description: 'A line under the title.' })),
          seo: SeoArg,
          social: Type.Optional(
            Type.Array(
              Type.Object(
                { label: Type.String({ maxLength: 100, description: 'What the link says.' }), url: Href },
                { additionalProperties: false },
              ),
              { maxItems: 20, description: 'Links to other places where the site is.' },
            ),
          ),
          addLocales: Type.Optional(
            Type.Array(Type.String({ maxLength: 35, pattern: localePattern, description: 'Such as pt-BR.' }), {
              maxItems: 20,
              description: 'Languages that it gets.',
            }),
          ),
          homePage: Type.Optional(
            Type.String({ maxLength: 2048, description: 'Id or path of the page that is served at /.' }),
          ),
          comments: Type.Optional(
            Choice(['open', 'closed'], 'Readers may comment on entries, or only read what was said. Unset: neither.'),
          ),
        },
        { additionalProperties: false, description: 'What to set.' },
      ),
    ),
    unset: Type.Optional(
      Type.Array(Choice(optional, 'A setting.'), { maxItems: optional.length, description: 'What to remove.' }),
    ),
    note: Note,
  }),
  output: Type.Object({ id: Type.String(), title: Type.String(), homePage: Type.Optional(Type.String()) }),
  async run({ rev, set: { addLocales = [], ...set } = {}, unset = [] }, draft) {
    const both = unset.find((name) => set[name] !== undefined);
    if (both !== undefined) throw fail('validation_failed', { path: 'unset', expected: `not ${both}, which set sets` });
    const homePage = set.homePage === undefined ? undefined : (await draft.get('page', set.homePage)).id;
    const { locales } = await draft.head();
    const added = [...new Set(addLocales)].filter((locale) => !locales.includes(locale));
    for (const locale of added) await checkNewLocale(draft, locale);
    const node = await draft.save('site', draft.siteId, rev, (body) => {
      const seo = set.seo && { ...body.seo, ...set.seo };
      const changed = {
        ...body,
        ...set,
        locales: [...body.locales, ...added],
        ...(seo && { seo }),
        ...(homePage !== undefined && { homePage }),
      };
      for (const name of unset) delete changed[name];
      return changed;
    });
    const { title, homePage: home } = node.body;
    return { data: { id: node.id, title, ...(home !== undefined && { homePage: home }) }, rev: node.rev };
  },
});
