import type { ErrorBody } from '@cloudhal/shared/errors';
import { type Permit, verifyPermit } from '@cloudhal/shared/permit';
import { compile } from '@cloudhal/shared/schema';
import type { ToolResult } from '@cloudhal/shared/tool';
import { assessCall } from '../../assess.ts';
import type { Capabilities } from '../../capabilities.ts';
import { createPreviews } from '../../site/previews.ts';
import { openTestRunner } from '../../testing/test-runner.ts';
import { tools } from '../index.ts';

type Args = Record<string, unknown>;
type Rules = Awaited<ReturnType<Capabilities['siteRules']>>;

const rules: Rules = {
  smallPublishNodes: 5,
  personAttested: 'off',
  confirmTokenFallback: true,
  taintMinutes: 30,
  fourEyes: false,
};

/** A site of its own database, and its tools as callers meet them: the site filled in, with a permit, through `runTool`. */
export async function openToolSite(options: { slug?: string; locales?: string[] } = {}) {
  const runner = await openTestRunner(tools, {}, options);
  const { deps, id } = runner;
  deps.can = {
    ...deps.can,
    siteRules: async () => rules,
    judgePublish: async () => ({ decision: 'person', rule: 'edits/auto-publish', reasons: ['in mode edits'] }),
    previews: createPreviews(runner.database, 'https://preview.example'),
  };

  function withSite(name: string, args: Args): Args {
    const properties = deps.tools.get(name)!.facts.inputSchema.properties as object;
    return 'site' in properties ? { site: id, ...args } : args;
  }

  async function call(
    name: string,
    args: Args = {},
    as: Partial<Permit['principal']> = {},
    permit: Partial<Permit> = {},
  ): Promise<ToolResult> {
    const principal = { id: 'agent:ada', kind: 'agent' as const, name: 'Ada', ...as };
    const result = await runner.call(name, withSite(name, args), { principal, sites: [id], ...permit });
    conforms(deps.tools.get(name)!.facts.outputSchema, result);
    return result;
  }

  return {
    ...runner,
    call,
    /** The data of an answer. */
    // biome-ignore lint/suspicious/noExplicitAny: tests look at whatever an answer says
    async data<D = any>(name: string, args: Args = {}): Promise<D> {
      return (await call(name, args)).data as D;
    },
    /** Terms of a taxonomy, in the draft. */
    addTerms: (taxonomy: string, ...slugs: string[]) =>
      runner.change(async (draft) => {
        for (const slug of slugs) await draft.create('term', { taxonomy, slug, label: slug, locale: 'en' });
      }),
    /** What a call that must fail says. */
    refusal: (name: string, args: Args): Promise<ErrorBody> => runner.refused(name, withSite(name, args)),
    /** What policy is told that a call would do. */
    assess: (name: string, args: Args) => assessCall(deps, { tool: name, site: id, arguments: args }),
    /** What a permit that was passed on says. */
    permit: (token: string) => verifyPermit(token, deps.verifier),
  };
}

export type ToolSite = Awaited<ReturnType<typeof openToolSite>>;

/** A thing of each sort on a site; gives what an argument may say to name one, by where it stands. */
export async function furnish(site: ToolSite): Promise<(path: string) => readonly string[]> {
  const { data } = site;
  const reason = 'A test.';
  const about = await data('create_page', {
    slug: 'about',
    title: 'About',
    sections: [{ type: 'quote', props: { text: 'A.' } }],
  });
  await data('create_page', { slug: 'team', parent: '/about', title: 'Team' });
  await data('propose_term', { op: 'create', taxonomy: 'topics', set: { label: 'Sea' }, reason });
  const ada = await data('propose_person', { set: { name: 'Ada' }, reason });
  const fields = { title: 'The ferry is back', summary: 'Twice an hour.' };
  const ferry = await data('create_entry', {
    type: 'article',
    slug: 'ferry',
    fields,
    body: 'It crosses.\n\nAgain.\n',
    terms: { topics: ['sea'] },
  });
  const nets = await data('create_entry', { type: 'article', slug: 'nets', fields, body: 'How a net is mended.\n' });
  await data('save_translation', {
    node: ferry.id,
    locale: 'de',
    rev: 0,
    sourceRev: 1,
    fields: { title: 'Die Fähre' },
  });
  await data('set_menu', { menu: 'header', rev: 0, items: [{ label: 'About', target: { node: about.id } }] });
  await data('add_redirect', { items: [{ from: '/old', to: '/about' }], reason });
  await data('set_design', { rev: 0, preset: 'forest' });
  await data('set_chrome', { rev: 0, set: { 'banner.text': 'Hello' } });
  const release = await data('create_release', { title: 'Spring', items: [{ node: nets.id }] });
  await data('publish', { what: { nodes: [about.id, ferry.id] }, expectDraft: (await site.view().head()).snapshot });
  const { snapshot } = await site.view().head();
  const { blocks } = await data('get_entry', { entry: ferry.id, bodyFormat: 'blocks' });
  const { sections } = await data('get_page', { page: about.id });
  const { redirects } = await data('list_redirects');
  const byName: Record<string, readonly string[]> = {
    page: [about.id, '/about', '/about/team'],
    parent: [about.id, '/about', 'sea', '/'],
    entry: [ferry.id, nets.id, 'ferry', '/articles/nets'],
    node: [about.id, ferry.id, nets.id, ada.id, '/about'],
    nodes: [about.id, ferry.id, nets.id],
    person: [ada.id, 'ada'],
    bylines: [ada.id],
    section: [sections[0].id],
    block: [blocks[0].id],
    after: [blocks[0].id, sections[0].id],
    type: ['article', 'page', 'quote'],
    taxonomy: ['topics'],
    term: ['sea'],
    add: ['sea'],
    remove: ['sea'],
    menu: ['header', 'footer'],
    redirect: [redirects[0].id, '/old'],
    release: [release.id],
    snapshot: [snapshot],
    expectDraft: [snapshot],
    expectLive: [snapshot],
    a: [snapshot, 'draft', 'live'],
    b: [snapshot, 'draft', 'live'],
    locale: ['en', 'de', 'xx'],
    range: ['7d', '2026-01-01/2026-01-31'],
    until: ['2099-01-01T00:00:00Z'],
    at: ['2099-01-01T00:00:00Z'],
    tool: ['create_entry', 'update_page'],
    path: ['/about', '/old'],
    select: ['fields.title', 'title'],
    expand: ['terms', 'bylines'],
    'where.*': ['kind', 'type', 'title', 'summary', 'path', 'fields.title'],
    'set.*': ['title', 'summary', 'text', 'label', 'slug', 'light.accent', 'banner.text', 'locale', 'parent'],
    'fields.*': ['title', 'summary', 'publishedOn', 'image'],
    'terms.*': ['topics', 'nothing'],
    'add.*': ['topics'],
    'remove.*': ['topics'],
    'props.*': ['text', 'markdown', 'title', 'items'],
    'items[].*': ['label', 'target', 'children'],
    'arguments.*': ['type', 'fields', 'entry', 'rev', 'set'],
  };
  return (path) =>
    byName[path.replace(/(?:\[\])+$/, '')] ??
    byName[
      path
        .split('.')
        .slice(path.endsWith('*') ? -2 : -1)
        .join('.')
        .replace(/(?:\[\])+$/, '')
    ] ??
    [];
}

/** Clients refuse an answer that does not fit the schema that they were given. */
function conforms(schema: object, result: ToolResult): void {
  const check: (value: unknown) => void = compile(schema);
  check(JSON.parse(JSON.stringify(result)));
}
