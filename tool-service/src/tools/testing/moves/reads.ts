import { commentStatuses } from '../../../comments/comment.ts';
import { releaseStates } from '../../../releases/runs.ts';
import { type Args, asset, type Dice, type Move, slug, some, word, yes } from './dice.ts';

const nodeRef = (dice: Dice) => dice.pick(dice.heads)!.id;
const read = (tool: string, args: (dice: Dice) => Args | undefined): Move => ({ tool, args });

/** What an agent looks at in between; it finds whatever the changes left. */
export const reads: readonly Move[] = [
  read('get_site', () => ({ include: ['settings', 'schema', 'counts', 'limits'] })),
  read('list_content_types', () => ({})),
  read('list_pages', (dice) => ({
    status: dice.pick(['draft', 'published', 'changed', 'trash']),
    fields: ['sections'],
  })),
  read('list_entries', (dice) => ({ type: 'article', sort: dice.pick(['-updated', 'title', '-path']), limit: 3 })),
  read('get_entry', (dice) => {
    const [entry] = some(dice, 'entry');
    return (
      entry && {
        entry: entry.id,
        bodyFormat: dice.pick(['markdown', 'blocks', 'outline']),
        view: dice.pick(['draft', 'live']),
      }
    );
  }),
  read('get_page', (dice) => {
    const [page] = some(dice, 'page');
    return page && { page: page.id, view: 'snapshot', snapshot: dice.pick(dice.snapshots)!.id };
  }),
  read('search_site', (dice) => ({ query: word(dice), view: dice.pick(['draft', 'live']) })),
  read('query_nodes', () => ({ where: { kind: 'entry' }, select: ['fields.title', 'terms'] })),
  read('resolve_path', (dice) => ({ path: `/${slug(dice)}`, view: dice.pick(['draft', 'live']) })),
  read('get_backlinks', (dice) => ({ node: nodeRef(dice) })),
  read('get_node_history', (dice) => ({ node: nodeRef(dice) })),
  read('list_terms', () => ({ taxonomy: 'topics' })),
  read('get_menu', () => ({ menu: 'header' })),
  read('list_redirects', (dice) => ({ problem: dice.pick(['chain', 'loop', 'dead']) })),
  read('test_redirect', (dice) => ({
    path: `/${slug(dice)}`,
    view: 'draft',
    proposed: [{ from: `/${slug(dice)}`, to: `/${slug(dice)}` }],
  })),
  read('list_locales', () => ({})),
  read('translation_status', () => ({})),
  read('get_translation', (dice) => {
    const node = dice.node('page', 'entry');
    return node && { node: node.id, locale: dice.pick(['de', 'fr']) };
  }),
  read('get_design', () => ({})),
  read('get_chrome', () => ({ view: 'live' })),
  read('validate_draft', (dice) => ({ node: nodeRef(dice) })),
  read('check_readiness', (dice) => ({ nodes: [nodeRef(dice), nodeRef(dice)] })),
  read('get_snapshot', (dice) => ({ snapshot: dice.pick(dice.snapshots)!.id })),
  read('diff_snapshots', (dice) => ({
    a: dice.pick(dice.snapshots)!.id,
    b: dice.pick(['draft', 'live', dice.pick(dice.snapshots)!.id]),
    format: dice.pick(['summary', 'fields', 'body']),
  })),
  read('get_publish_plan', () => ({ what: { all: true } })),
  read('list_publications', () => ({})),
  read('get_release', (dice) => {
    const release = dice.node('release');
    return release && { release: release.id, format: dice.pick(['summary', 'fields', 'body']) };
  }),
  read('list_embargoes', () => ({})),
  read('list_sites', () => ({})),
  read('get_content_type', (dice) => ({ type: dice.pick(['article', 'event']) })),
  read('list_corrections', () => ({})),
  read('list_people', () => ({})),
  read('list_taxonomies', () => ({})),
  read('list_menus', () => ({})),
  read('list_assets', (dice) => ({ unused: yes(dice), trash: yes(dice), missingAlt: yes(dice) })),
  read('get_asset', (dice) => ({ asset: asset(dice), preview: yes(dice) })),
  read('start_asset_upload', (dice) => ({
    filename: word(dice),
    mime: dice.pick(['image/png', 'text/html']),
    bytes: 100,
    sha256: '0'.repeat(64),
  })),
  read('list_comments', (dice) => ({ status: dice.pick(commentStatuses), entry: dice.node('entry')?.id ?? 'nothing' })),
  read('preview_page', (dice) => ({ node: nodeRef(dice) })),
  read('render_page', (dice) => ({ node: nodeRef(dice) })),
  read('list_snapshots', () => ({ limit: 3 })),
  read('list_releases', (dice) => ({ state: dice.pick(releaseStates) })),
  read('get_analytics', (dice) => ({ range: '7d', metric: 'views', node: nodeRef(dice) })),
  read('top_content', () => ({ range: '28d' })),
  read('content_stats', (dice) => ({ by: dice.pick(['type', 'status', 'locale']) })),
  read('broken_links', () => ({ kind: 'internal' })),
];
