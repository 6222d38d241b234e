import { fail } from '@cloudhal/shared/errors';
import type { MenuItem } from '@cloudhal/shared/site/menu';
import { titleOf } from '../changes/title.ts';
import type { At, GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';
import { resolveLink } from '../render/links.ts';
import { isImported } from '../tools/untrusted.ts';
import { conform } from './conform.ts';
import { getNode } from './find-node.ts';
import { addressOf } from './site-paths.ts';

export const menuLimits = { items: 200, depth: 3 } as const;

/** Menus that the theme shows, and where. */
export const menuLocations = ['header', 'footer'] as const;
export type MenuLocation = (typeof menuLocations)[number];

/** An item of a menu as readers get it: without `path` it is a heading over its children. */
export type MenuLink = { label: string; path?: string; children?: MenuLink[] };

const Item = {
  type: 'object',
  required: ['label'],
  additionalProperties: false,
  properties: {
    label: { type: 'string', minLength: 1, maxLength: 120 },
    target: {
      type: 'object',
      additionalProperties: false,
      properties: {
        node: { type: 'string', minLength: 1, maxLength: 2048 },
        url: { type: 'string', minLength: 1, maxLength: 2000 },
      },
    },
    children: { type: 'array', maxItems: menuLimits.items },
  },
};

type Given = { label: string; target?: { node?: string; url?: string }; children?: unknown[] };

/** The items of a menu, checked; nodes that are named by their path are kept by their id. */
export async function menuItems(view: View, items: readonly unknown[]): Promise<MenuItem[]> {
  let count = 0;
  async function level(given: readonly unknown[], path: string, depth: number): Promise<MenuItem[]> {
    if (depth > menuLimits.depth) throw fail('limit_exceeded', { what: 'The depth of a menu', max: menuLimits.depth });
    count += given.length;
    if (count > menuLimits.items) throw fail('limit_exceeded', { what: 'A menu', max: `${menuLimits.items} items` });
    const made: MenuItem[] = [];
    for (const [index, value] of given.entries()) {
      const at = `${path}[${index}]`;
      conform(Item, value, at);
      const { label, target, children = [] } = value as Given;
      if (label.trim() === '') throw fail('validation_failed', { path: `${at}.label`, expected: 'a text' });
      if (!target && children.length === 0) {
        throw fail('validation_failed', { path: `${at}.target`, expected: 'a target, or children' });
      }
      made.push({
        label,
        ...(target && { target: await itemTarget(view, target, `${at}.target`) }),
        ...(children.length > 0 && { children: await level(children, `${at}.children`, depth + 1) }),
      });
    }
    return made;
  }
  return level(items, 'items', 1);
}

async function itemTarget(view: View, { node, url }: NonNullable<Given['target']>, path: string) {
  if ((node === undefined) === (url === undefined)) {
    throw fail('validation_failed', { path, expected: 'either a node or a url' });
  }
  if (url !== undefined) {
    const isSafe = /^(?:\/(?!\/)|#|https?:\/\/|mailto:)/i.test(url) && resolveLink(url, { basePath: '', path: '/' });
    if (isSafe) return { url };
    throw fail('validation_failed', {
      path: `${path}.url`,
      expected: 'a path of the site, or an http(s) or mailto address',
    });
  }
  const found = await getNode(view, node!);
  if (found.path === undefined || found.kind === 'redirect') {
    throw fail('validation_failed', { path: `${path}.node`, expected: 'a node with a page of its own' });
  }
  return { node: found.id };
}

/** A menu of a locale by its name or id. */
export function findMenu(view: View, ref: string, locale: string, at: At = {}): Promise<GraphNode<'menu'> | undefined> {
  return view.find('menu', ref, { ...at, ...(!ref.startsWith('me_') && { locale }) });
}

/**
 * What the theme shows in a place of a page in a locale, with the addresses as readers know them; the default locale's menu
 * where this one has none. Items whose target is not there in this state are left out. `undefined` where there is no menu.
 */
export async function menuAt(view: View, location: string, locale: string, at: At): Promise<MenuLink[] | undefined> {
  const head = await view.head();
  const menu = (await findMenu(view, location, locale, at)) ?? (await findMenu(view, location, head.defaultLocale, at));
  if (!menu) return undefined;
  const nodes = new Map((await view.nodes(nodesIn(menu.body.items), at)).map((node) => [node.id, node]));
  const links = (items: readonly MenuItem[]): MenuLink[] =>
    items.flatMap(({ label, target, children = [] }) => {
      const below = links(children);
      const node = target && 'node' in target ? nodes.get(target.node) : undefined;
      const path = target && 'url' in target ? target.url : node && addressOf(node, head);
      if (path === undefined && below.length === 0) return [];
      return [{ label, ...(path !== undefined && { path }), ...(below.length > 0 && { children: below }) }];
    });
  return links(menu.body.items);
}

/** The ids of the nodes that items lead to. */
export function nodesIn(items: readonly MenuItem[]): string[] {
  const ids = items.flatMap(({ target, children = [] }) => [
    ...(target && 'node' in target ? [target.node] : []),
    ...nodesIn(children),
  ]);
  return [...new Set(ids)];
}

/** How many items there are, at every depth. */
export function countItems(items: readonly MenuItem[]): number {
  return items.reduce((count, { children = [] }) => count + 1 + countItems(children), 0);
}

export type ShownItem = {
  label: string;
  target?: { node?: string; url?: string; kind?: string; title?: string; path?: string; state?: string };
  children?: ShownItem[];
};

/** The items with what their targets are on the draft, and where they stand: `missing` where there is none. */
export async function shownItems(view: View, items: readonly MenuItem[]): Promise<ShownItem[]> {
  const nodes = new Map((await view.nodes(nodesIn(items), { trash: true })).map((node) => [node.id, node]));
  const head = await view.head();
  const shown = new Map<string, ShownItem['target']>();
  for (const [id, node] of nodes) {
    const path = addressOf(node, head);
    // What nobody has looked at does not speak here.
    const title = isImported(node) ? {} : { title: titleOf(node) };
    const about = { node: id, kind: node.kind, ...title, ...(path !== undefined && { path }) };
    shown.set(id, { ...about, state: await view.status(node) });
  }
  const level = (all: readonly MenuItem[]): ShownItem[] =>
    all.map(({ label, target, children }) => ({
      label,
      ...(target && {
        target: 'url' in target ? target : (shown.get(target.node) ?? { node: target.node, state: 'missing' }),
      }),
      ...(children && { children: level(children) }),
    }));
  return level(items);
}

/** Items that readers would not see, as sentences. */
export function hiddenItems(items: readonly ShownItem[]): string[] {
  return items.flatMap(({ label, target, children = [] }) => [
    ...(target?.state !== undefined && !['published', 'changed'].includes(target.state)
      ? [`Readers do not see "${label}" yet: its target is not live.`]
      : []),
    ...hiddenItems(children),
  ]);
}
