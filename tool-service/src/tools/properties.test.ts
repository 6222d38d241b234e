import { CloudhalError, errorTable, fail } from '@cloudhal/shared/errors';
import type { Permit } from '@cloudhal/shared/permit';
import type { EntryBody } from '@cloudhal/shared/site/shapes';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseBlocks } from '../body/parse-blocks.ts';
import { kindRow } from '../graph/kinds.ts';
import type { Difference } from '../graph/node.ts';
import { serveComment, servePage } from '../site/site-page.ts';
import { tools } from './index.ts';
import type { Args, Head, Move } from './testing/moves/dice.ts';
import { moves } from './testing/moves/index.ts';
import { fileAt } from './testing/moves/media-moves.ts';
import { rollbackMove } from './testing/moves/publish-moves.ts';
import { readersComment, readersVisit } from './testing/moves/reader-moves.ts';
import { reads } from './testing/moves/reads.ts';
import { diceOf, type Stand, standOf } from './testing/stand.ts';
import { openToolSite, type ToolSite } from './testing/tool-site.ts';

/** A run that failed is played again by `SEED=… npx vitest run` of this file; `SECONDS_OF_LUCK` looks for longer. */
const seed = Number(process.env.SEED ?? Date.now() % 1e9);
const seconds = Number(process.env.SECONDS_OF_LUCK ?? 12);

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite({ locales: ['en', 'de', 'fr'] });
  site.deps.can.inspect = () =>
    Promise.reject(fail('renderer_unavailable', { problem: 'a test', how: 'Install one.' }));
  site.deps.can.fetch = async (url) => ({ status: 200, url, redirects: [], contentType: '', body: fileAt(url) });
  await site.call('update_site', { rev: 1, set: { comments: 'open' } });
  await site.publish(site.id);
});
afterAll(() => site.drop());

const step = fc.record({
  move: fc.oneof(
    { weight: 10, arbitrary: fc.constantFrom(...moves) },
    { weight: 5, arbitrary: fc.constantFrom(...reads) },
    { weight: 2, arbitrary: fc.constantFrom(rollbackMove, readersComment, readersVisit) },
  ),
  choices: fc.array(fc.nat(1_000_000), { minLength: 12, maxLength: 12 }),
  text: fc.string({ unit: 'grapheme', maxLength: 12 }),
});
type Step = { move: Move; choices: number[]; text: string };

test('every tool is played, but for those that other services answer', () => {
  const played = new Set([...moves, ...reads, rollbackMove].map(({ tool }) => tool));
  const own = tools.filter(({ handler }) => handler.kind !== 'ask').map(({ facts }) => facts.name);
  expect(own.filter((name) => !played.has(name))).toEqual([]);
});

test(
  'whatever agents do in whatever order: a snapshot for each change, exact digests and rollbacks, and the rest as it was',
  async () => {
    const played: string[] = [];
    const until = Date.now() + seconds * 1_000;
    const property = fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 40 }), async (steps) => {
      for (const one of steps) if (Date.now() < until) await play(one, played);
    });
    // The site is one for all runs, so there is nothing to shrink.
    const found = await fc.check(property, {
      seed,
      numRuns: 10_000,
      endOnFailure: true,
      interruptAfterTimeLimit: seconds * 1_000,
    });
    if (!found.failed) await projectionsAreThoseOfTheHeads();
    if (found.failed && found.errorInstance) {
      const calls = played.slice(-12).join('\n');
      const { message } = found.errorInstance as Error;
      throw new Error(`${message}\nwith SEED=${seed}, after\n${calls}`, { cause: found.errorInstance });
    }
  },
  (seconds + 60) * 1_000,
);

/** One call, and all that must hold after it. */
async function play({ move, choices, text }: Step, played: string[]): Promise<void> {
  const before = await standOf(site);
  const args = await move.args(diceOf(site, before, choices, text));
  if (!args) return;
  if (move === readersComment) return comments(args, before);
  if (move === readersVisit) return visits(args, before);
  const { tool } = move;
  const assessed = isAssessed(tool) ? await site.assess(tool, args).catch(refusal) : undefined;
  const permit = assessed && !(assessed instanceof CloudhalError) && choices[0]! % 2 ? approvedAs(assessed) : {};
  const result = await site.call(tool, args, {}, permit).catch(refusal);
  const refused = result instanceof CloudhalError;
  played.push(
    `${tool} ${JSON.stringify(args)} → ${refused ? `${result.code} ${result.message}` : `changed: ${result.changed}`}`,
  );

  const after = await standOf(site);
  if (refused) {
    expect(result.body).toMatchObject({ applied: 'no', next: expect.stringMatching(/\S/) });
    expect(Object.keys(errorTable)).toContain(result.code);
    expect(result.code, played.at(-1)).not.toBe('internal');
  }
  const changed = !refused && result.changed === true;
  if (assessed instanceof CloudhalError) expect(refused && result.code, played.at(-1)).toBe(assessed.code);
  else if (assessed) {
    expect(refused, `${played.at(-1)}, which was assessed as possible`).toBe(false);
    if (args.dryRun !== true) expect(assessed.unchanged ?? false, played.at(-1)).toBe(!changed);
  }
  expect(after.sums.seq, 'one snapshot for a change, none for anything else').toBe(before.sums.seq + (changed ? 1 : 0));
  expect(changed || refused || result.snapshot === undefined).toBe(true);
  if (!changed) expect(after, 'nothing changed').toEqual(before);
  if (!move.live) expect(after.sums.live, 'live is as it was').toBe(before.sums.live);
  if (changed && tool === 'rollback') await isExact(args, after);
  if (changed && tool === 'undo_change') await isUndone(args, before);
  if (changed && tool === 'restore_node') await isRestored(args, after);
  if (!refused && tool === 'publish') await isPublished(args);
  if (changed && tool === 'patch_draft') otherBlocksAreUntouched(before, after, args);
  if (changed && move.only) othersAreUntouched(before, after, move.only(args));
  otherCommentsAreUntouched(before, after, JSON.stringify(args));
  if (!move.schedules) expect(after.schedules, 'what is scheduled').toEqual(before.schedules);
}

function refusal(error: unknown): CloudhalError {
  if (!(error instanceof CloudhalError)) throw error;
  return error;
}

/** What is assessed beforehand by doing it to a draft that is not stored. */
function isAssessed(name: string): boolean {
  const { handler } = site.deps.tools.get(name)!;
  return handler.kind === 'write' && handler.prepare === undefined;
}

/** What a permit says once a person approved what the assessment showed. */
function approvedAs({ base }: Awaited<ReturnType<ToolSite['assess']>>): Partial<Permit> {
  return { base, approval: { id: 'ap_test', channel: 'studio', decidedBy: 'person:1' } };
}

/** Whatever a reader sends changes nothing that readers see, nor what others sent. */
async function comments(words: Args, before: Stand): Promise<void> {
  const sent = { site: 'example', basePath: '', form: '', ...words } as Parameters<typeof serveComment>[1];
  const { status } = await serveComment(site.database, sent);
  expect([303, 404, 422]).toContain(status);
  const after = await standOf(site);
  expect({ ...after, comments: [] }).toEqual({ ...before, comments: [] });
  otherCommentsAreUntouched(before, after, '');
}

/** Readers find what is live where it is, and something sensible everywhere else. */
async function visits({ path }: { path?: string }, { live }: Stand): Promise<void> {
  const { status } = await servePage(site.database, { site: 'example', basePath: '', path: path! });
  if (live.some((node) => node.path === path)) expect(status, path).toBe(200);
  else expect([200, 301, 302, 307, 308, 404, 410], path).toContain(status);
}

/** Comments change where they are named and by nothing else, and what is erased stays so. */
function otherCommentsAreUntouched(before: Stand, after: Stand, args: string): void {
  const now = new Map(after.comments.map((comment) => [comment.id, comment]));
  for (const comment of before.comments)
    if (comment.status === 'erased' || !args.includes(comment.id)) expect(now.get(comment.id)).toEqual(comment);
  for (const { status, text } of after.comments) expect(text === null).toBe(status === 'erased');
}

async function isExact({ snapshot, track }: { snapshot?: string; track?: string }, { sums }: Stand): Promise<void> {
  const then = await site.view().snapshot(snapshot!);
  if (track !== 'live') expect(sums.draft).toBe(then.draftDigest);
  if (track !== 'draft') expect(sums.live).toBe(then.liveDigest);
}

/** What was the last to change the site is taken back whole, but for what is in the trash, and redirects from known addresses. */
async function isUndone({ snapshot }: { snapshot?: string }, before: Stand): Promise<void> {
  if (snapshot !== before.head.snapshot) return;
  const { parent } = await site.view().snapshot(snapshot);
  const others = await site.view().allDifferences({ snapshot: parent! }, {});
  const isThere = (node: { deleted: boolean } | undefined) => node !== undefined && !node.deleted;
  const leadsOn = (other: Difference) => other.kind === 'redirect' && !isThere(other.before);
  const known = others.filter((other) => !leadsOn(other));
  expect(known.filter((other) => isThere(other.before) || isThere(other.after))).toEqual([]);
}

/** A page keeps its address, whatever else comes back. */
async function isRestored({ node, snapshot }: { node?: string; snapshot?: string }, { heads }: Stand): Promise<void> {
  const { kind, hash } = heads.find(({ id }) => id === node)!;
  if (snapshot && kind !== 'page') expect((await site.view().node(node!, { snapshot })).hash).toBe(hash);
}

/** Nothing is left to publish of what was published. */
async function isPublished({ what }: { what?: object }): Promise<void> {
  const { nodes } = await site.data('get_publish_plan', { what });
  expect(nodes, 'what is still to be published').toEqual([]);
}

/** Nodes that are not named are the very same versions, and of the one that is named only these members are others. */
function othersAreUntouched(
  before: Stand,
  after: Stand,
  { node, members }: { node?: string | undefined; members: readonly string[] },
) {
  const now = new Map(after.heads.map((head) => [head.id, head]));
  for (const head of before.heads) {
    const then = now.get(head.id)!;
    if (head.id !== node) expect(then, 'a node that the call does not name').toEqual(head);
    else expect(without(then, members)).toEqual(without(head, members));
  }
}

/** A patch of one block leaves every other one its id and its text. */
function otherBlocksAreUntouched(
  before: Stand,
  after: Stand,
  { entry, ops }: { entry?: string; ops?: { op: string; block?: string }[] },
) {
  const blocksOf = ({ heads }: Stand) => {
    const { body, blocks } = heads.find(({ id }) => id === entry)!.body as EntryBody;
    return new Map(parseBlocks(body, blocks).map(({ id, text }) => [id, text]));
  };
  const now = blocksOf(after);
  const [changed] = ops!.map(({ op, block }) => (op === 'move' ? undefined : block));
  for (const [id, text] of blocksOf(before)) if (id !== changed) expect(now.get(id), `block ${id}`).toBe(text);
}

function without({ body }: Head, members: readonly string[]) {
  return Object.fromEntries(Object.entries(body).filter(([name]) => !members.includes(name)));
}

/** Backlinks and search, which are kept as changes are made, against what the nodes say. */
async function projectionsAreThoseOfTheHeads(): Promise<void> {
  const heads = await site.database.query<Pick<Head, 'id' | 'kind' | 'body'> & { track: string }>(
    `SELECT v.track, v.node_id AS id, v.kind, b.doc AS body FROM tools.ver v JOIN tools.body b ON b.hash = v.hash
     WHERE v.site_id = $1 AND v.to_seq IS NULL AND NOT v.deleted`,
    [site.id],
  );
  const links = heads.flatMap(({ track, id, kind, body }) =>
    (kindRow(kind).links?.(body as never) ?? []).map(({ role, target }) => `${track} ${id} ${role} ${target}`),
  );
  const words = heads
    .filter(({ kind }) => kindRow(kind).words)
    .map(({ track, id, kind, body }) => `${track} ${id}\n${kindRow(kind).words?.(body as never)}`);
  const stored = async (sql: string) =>
    (await site.database.query<{ row: string }>(sql, [site.id])).map(({ row }) => row);
  const edges = await stored(
    `SELECT concat_ws(' ', track, source, role, target) AS row FROM tools.edge WHERE site_id = $1`,
  );
  expect(edges.sort()).toEqual([...new Set(links)].sort());
  const found = await stored(
    `SELECT concat_ws(E'\\n', track || ' ' || node_id, text) AS row FROM tools.search WHERE site_id = $1`,
  );
  // The order of members is not kept, so neither is that of their words.
  const sorted = (texts: string[]) => texts.map((text) => text.split('\n').sort().join('\n')).sort();
  expect(sorted(found)).toEqual(sorted(words));
}
