import { fail } from '@cloudhal/shared/errors';
import type { RedirectBody, RedirectStatus } from '@cloudhal/shared/site/redirect';
import type { Draft } from '../graph/draft.ts';
import type { GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';
import { followRedirects, redirectAt } from './follow-redirects.ts';
import { ownPath, redirectFrom, redirectTo } from './redirect-address.ts';
import { addressOf, ownAddresses, placeOf } from './site-paths.ts';

export type NewRedirect = { from: string; to?: string; status?: RedirectStatus };

/** A redirect's body, its addresses checked and in their one form. */
export async function redirectBody(
  view: View,
  { from, to, status = 301 }: NewRedirect,
  path: string,
): Promise<RedirectBody> {
  if ((status === 410) !== (to === undefined)) {
    const expected =
      status === 410 ? 'no target: 410 says that it is gone' : 'where it leads, unless the status is 410';
    throw fail('validation_failed', { path: `${path}.to`, expected });
  }
  const { defaultLocale } = await view.head();
  return {
    from: redirectFrom(from, `${path}.from`),
    ...(to !== undefined && { to: redirectTo(to, `${path}.to`) }),
    locale: defaultLocale,
    status,
  };
}

/** New redirects of the draft. Loops, chains and addresses that have something of their own are refused. */
export async function addRedirects(draft: Draft, items: readonly NewRedirect[]): Promise<GraphNode<'redirect'>[]> {
  const made: GraphNode<'redirect'>[] = [];
  for (const [index, item] of items.entries()) {
    const body = await redirectBody(draft, item, `items[${index}]`);
    const there = await redirectAt(draft, body.from);
    if (there)
      throw fail('slug_taken', { slug: body.from, by: `the redirect ${there.id}; change it with update_redirect` });
    made.push(await draft.create('redirect', body));
  }
  for (const { body } of made) await refuseDetours(draft, body, made);
  return made;
}

/** Refuses a redirect that stands before something, leads to another redirect, or that another one leads to. */
export async function refuseDetours(
  draft: Draft,
  { from, to }: RedirectBody,
  beside: readonly GraphNode<'redirect'>[] = [],
): Promise<void> {
  const shadowed = await ownAddresses(draft, [from], 'draft');
  if (shadowed.has(from) && !(await isLeft(draft, from)))
    throw fail('redirect_loop', { path: `${from} has something of its own, which nobody would reach` });
  const onward = ownPath(to);
  if (onward !== undefined) {
    const { hops, end, path } = await followRedirects(onward, (at) => (at === from ? stop(from) : bodyAt(draft, at)));
    if (end === 'loop' || hops.some((hop) => hop.from === from)) {
      throw fail('redirect_loop', { path: [from, ...hops.map((hop) => hop.from), from].join(' → ') });
    }
    const last = hops.at(-1)?.to ?? path;
    if (hops.length > 0) {
      throw fail('redirect_loop', { path: `${from} → ${onward} → ${last}; lead ${from} to the last address itself` });
    }
  }
  const before = await leadingTo(draft, from, beside);
  if (before !== undefined) {
    throw fail('redirect_loop', {
      path: `${before} → ${from} → ${to ?? 'nothing'}; lead ${before} to the last address first`,
    });
  }
}

/** Whether this call takes away what has an address, or gives it another. */
async function isLeft(draft: Draft, address: string): Promise<boolean> {
  const head = await draft.head();
  return draft.changes.some(({ track, kind, before, after }) => {
    const stays = after && !after.deleted && after.path === before?.path;
    return track === 'draft' && kind !== 'redirect' && before && !stays && addressOf(before, head) === address;
  });
}

/** Where nothing is at the end of a redirect, as a sentence. */
export async function deadEnds(view: View, bodies: readonly RedirectBody[]): Promise<string[]> {
  const targets = bodies.flatMap(({ to }) => ownPath(to) ?? []);
  const there = await ownAddresses(view, targets, 'draft');
  return bodies.flatMap(({ from, to }) => {
    const target = ownPath(to);
    return target === undefined || there.has(target) ? [] : [`Nothing is at ${target}, where ${from} leads.`];
  });
}

/** Addresses at which readers still find something, so that a redirect from there would not be asked. */
export async function stillLive(view: View, bodies: readonly RedirectBody[]): Promise<string[]> {
  const live = await ownAddresses(
    view,
    bodies.map(({ from }) => from),
    'live',
  );
  return [...live].map(
    (from) => `Readers still find something at ${from}: it has to go before the redirect can go live.`,
  );
}

async function bodyAt(view: View, path: string): Promise<RedirectBody | undefined> {
  return (await redirectAt(view, path))?.body;
}

/** Ends a way that comes back to where it began. */
function stop(from: string): RedirectBody {
  return { from, status: 410, locale: '' };
}

/** The address of a redirect that leads to this one. */
async function leadingTo(
  draft: Draft,
  from: string,
  beside: readonly GraphNode<'redirect'>[],
): Promise<string | undefined> {
  const fresh = beside.find(({ body }) => ownPath(body.to) === from);
  return (fresh ?? (await redirectsTo(draft, from))[0])?.body.from;
}

/** The redirects that lead to a path. */
async function redirectsTo(draft: Draft, path: string): Promise<GraphNode<'redirect'>[]> {
  const rows = await draft.rows<{ id: string }>(
    `SELECT source AS id FROM tools.edge WHERE site_id = $1 AND track = 'draft' AND role = 'redirect' AND target = $2
     ORDER BY source LIMIT 1000`,
    [path],
  );
  // As this call leaves them: one that it changed may lead elsewhere by now.
  const nodes = (await draft.nodes(rows.map(({ id }) => id))) as GraphNode<'redirect'>[];
  return nodes.filter(({ body }) => ownPath(body.to) === path);
}

/**
 * Lets old addresses lead on to new ones, as part of a change that moves them: redirects that led to an old one lead to
 * the new one at once, and one that stood at a new address goes.
 */
export async function leadOn(draft: Draft, moves: readonly { from: string; to: string }[]): Promise<void> {
  const head = await draft.head();
  const at = (address: string) => {
    const { path, locale = head.defaultLocale } = placeOf(address, head);
    return draft.atPath(path, { locale });
  };
  for (const { to } of moves) {
    const inTheWay = await redirectAt(draft, to);
    if (inTheWay) await draft.remove(inTheWay.id, inTheWay.rev);
  }
  for (const { from, to } of moves) {
    const there = from === to ? undefined : ((await redirectAt(draft, from)) ?? (await at(from)));
    // Something else has come to stand there, and answers itself.
    if (from === to || (there && there.kind !== 'redirect')) continue;
    for (const { id, rev } of await redirectsTo(draft, from)) {
      await draft.save('redirect', id, rev, ({ to: old = '', ...body }) => ({
        ...body,
        to: `${to}${old.slice(from.length)}`,
      }));
    }
    const body: RedirectBody = { from, to, locale: head.defaultLocale, status: 301 };
    if (there) await draft.save('redirect', there.id, there.rev, () => body);
    else await draft.create('redirect', body);
  }
}
