import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { houseFile } from '@cloudhal/shared/house-file';
import { type Effect, type Mode, modes } from '@cloudhal/shared/policy';
import { tools } from '@cloudhal/tool-service/tools/index';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examples } from '../reference/examples/index.ts';
import { boat } from '../reference/examples/pictures.ts';
import { createShow, type Shown } from '../reference/examples/shown.ts';
import { hostileCalls } from './every-tool/hostile-texts.ts';
import { freshKey, type Outcome, type Played, play, without } from './every-tool/play.ts';
import { verdictOf, verdictOfRefusal } from './ledger.ts';
import { type Newsroom, openNewsroom } from './newsroom.ts';

/** What each mode does with each class of tool, in the catalogue's own words; bypass of a remote key acts as edits. */
const outcomes: Record<Effect, Record<Mode, Outcome>> = {
  read: { plan: 'run', manual: 'run', edits: 'run', auto: 'run', bypass: 'run' },
  view: { plan: 'run', manual: 'run', edits: 'run', auto: 'run', bypass: 'run' },
  ask: { plan: 'run', manual: 'run', edits: 'run', auto: 'run', bypass: 'run' },
  edit: { plan: 'refuse', manual: 'wait', edits: 'run', auto: 'run', bypass: 'run' },
  delete: { plan: 'refuse', manual: 'wait', edits: 'wait', auto: 'wait', bypass: 'wait' },
  publish: { plan: 'refuse', manual: 'wait', edits: 'wait', auto: 'wait', bypass: 'wait' },
  'auto-publish': { plan: 'refuse', manual: 'wait', edits: 'wait', auto: 'run', bypass: 'wait' },
  person: { plan: 'refuse', manual: 'wait', edits: 'wait', auto: 'wait', bypass: 'wait' },
};
/** What no text may lead to. */
const faults = new Set([
  ...['internal', 'connection', 'storage_unavailable', 'tool_unavailable', 'tool_quarantined'],
  ...['outcome_unknown', 'deadline_exceeded_not_applied', 'overloaded'],
]);
const factsOf = new Map(tools.map(({ facts }) => [facts.name, facts]));
const effects = new Map(tools.map(({ facts }) => [facts.name, facts.effect]));
const scopesOf = new Map(tools.map(({ facts }) => [facts.name, facts.scopes]));

let newsroom: Newsroom;
/** What somebody else has on the web: a server that tools are allowed to reach. */
const elsewhere = createServer((_, response) =>
  response.setHeader('content-type', 'image/png').end(Buffer.from(boat, 'base64')),
);
let pictureUrl: string;
beforeAll(async () => {
  // Readers come from many places, which the proxy in front says.
  const { port } = (await listen(elsewhere)) as AddressInfo;
  pictureUrl = `http://127.0.0.1:${port}/chart.png`;
  newsroom = await openNewsroom({
    env: { CLOUDHAL_TRUST_PROXY: 'loopback', CLOUDHAL_FETCH_ALLOW: `127.0.0.1:${port}` },
  });
}, 120_000);
afterAll(async () => {
  elsewhere.close();
  await newsroom?.stop();
}, 60_000);

const listen = (server: Server) =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server.address()));
  });

test('every tool has a part in the story of the reference', () => {
  const played = new Set(examples.map(({ tool }) => tool));
  expect(tools.map(({ facts }) => facts.name).filter((name) => !played.has(name))).toEqual([]);
});

const reference = join(houseFile('docs'), 'reference', 'examples.json');

/** The first call of each tool. */
function shownIn(played: Played[]): string {
  const show = createShow();
  const answers: Record<string, Shown> = {};
  for (const { example, args, result } of played) answers[example.tool] ??= show({ arguments: args, answer: result });
  return `${JSON.stringify(answers, null, 2)}\n`;
}

describe('every tool, with a fresh key', () => {
  test.each(modes)(
    'does in mode %s what the catalogue says',
    async (mode) => {
      const played = await play(newsroom, mode, {
        pictureUrl,
        site: await newsroom.makeSite(mode === 'auto' ? 'harbour' : `in-${mode}`, ['en', 'de']),
      });
      const seen = played.map(({ example, outcome }) => [example.tool, outcome]);
      const said = examples.map(({ tool, raisedTo }) => [tool, outcomes[raisedTo ?? effects.get(tool)!][mode]]);
      expect(seen).toEqual(said);
      // What the reference shows is what one of them answered; else run this test with -u, and then npm run reference.
      if (mode === 'auto') await expect(shownIn(played)).toMatchFileSnapshot(reference);
    },
    240_000,
  );

  test('is refused without any one of its scopes, and says which is missing', async () => {
    const site = await newsroom.makeSite('without-scopes', ['en', 'de']);
    const refused: string[][] = [];
    await play(newsroom, 'edits', {
      site,
      pictureUrl,
      async aside({ tool }, args) {
        for (const scope of scopesOf.get(tool)!) {
          const call = await freshKey(newsroom, { mode: 'edits', sites: [site.id], scopes: without(scope) });
          const { code, text } = await call(tool, args);
          refused.push([tool, scope, code ?? 'it ran', String(text.includes(scope))]);
        }
      },
    });
    const said = examples.flatMap(({ tool }) =>
      scopesOf.get(tool)!.map((scope) => [tool, scope, 'scope_missing', 'true']),
    );
    expect(refused).toEqual(said);
  }, 240_000);

  test('takes hostile text in every argument as text, and goes on (T32)', async () => {
    const site = await newsroom.makeSite('hostile', ['en', 'de']);
    const played = await play(newsroom, 'edits', { site, pictureUrl });
    const longest = new Map(played.map(({ example, args }) => [example.tool, args]));
    const calls = [...longest].flatMap(([tool, args], n) =>
      hostileCalls(factsOf.get(tool)!, args, n).map((wrong) => ({ tool, args: wrong })),
    );
    expect(calls.length).toBeGreaterThan(400);
    const broken: string[] = [];
    const agents = await Promise.all(Array.from({ length: 6 }, () => newsroom.hire({ key: { sites: [site.id] } })));
    await Promise.all(
      agents.map(async (agent) => {
        for (let next = calls.pop(); next; next = calls.pop()) {
          const { tool, args } = next;
          const { code = '' } = await agent.call(tool, args).then(verdictOf, verdictOfRefusal);
          if (faults.has(code)) broken.push(`${code}: ${tool} ${JSON.stringify(args).slice(0, 500)}`);
        }
      }),
    );
    expect(broken).toEqual([]);
  }, 240_000);
});
