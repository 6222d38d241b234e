import { join } from 'node:path';
import { houseFile } from '@cloudhal/shared/house-file';
import { type Effect, type Mode, modes } from '@cloudhal/shared/policy';
import { tools } from '@cloudhal/tool-service/tools/index';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { examples } from '../reference/examples/index.ts';
import { createShow, type Shown } from '../reference/examples/shown.ts';
import { freshKey, type Outcome, play, without } from './every-tool/play.ts';
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
const effects = new Map(tools.map(({ facts }) => [facts.name, facts.effect]));
const scopesOf = new Map(tools.map(({ facts }) => [facts.name, facts.scopes]));

let newsroom: Newsroom;
beforeAll(async () => {
  // Readers come from many places, which the proxy in front says.
  newsroom = await openNewsroom({ env: { CLOUDHAL_TRUST_PROXY: 'loopback' } });
}, 120_000);
afterAll(() => newsroom?.stop(), 60_000);

test('every tool has a part in the story of the reference', () => {
  const played = new Set(examples.map(({ tool }) => tool));
  expect(tools.map(({ facts }) => facts.name).filter((name) => !played.has(name))).toEqual([]);
});

describe('every tool, with a fresh key', () => {
  test.each(modes)(
    'does in mode %s what the catalogue says',
    async (mode) => {
      const played = await play(newsroom, mode, { site: await newsroom.makeSite(`in-${mode}`, ['en', 'de']) });
      const seen = played.map(({ example, outcome }) => [example.tool, outcome]);
      const said = examples.map(({ tool, raisedTo }) => [tool, outcomes[raisedTo ?? effects.get(tool)!][mode]]);
      expect(seen).toEqual(said);
    },
    240_000,
  );

  test('answers as the reference shows; else run this test with -u, and then npm run reference', async () => {
    const played = await play(newsroom, 'auto', { site: await newsroom.makeSite('harbour', ['en', 'de']) });
    const show = createShow();
    const answers: Record<string, Shown> = {};
    for (const { example, args, result } of played) {
      answers[example.tool] ??= show({ arguments: args, answer: result });
    }
    const text = `${JSON.stringify(answers, null, 2)}\n`;
    await expect(text).toMatchFileSnapshot(join(houseFile('docs'), 'reference', 'examples.json'));
  }, 240_000);

  test('is refused without any one of its scopes, and says which is missing', async () => {
    const site = await newsroom.makeSite('without-scopes', ['en', 'de']);
    const refused: string[][] = [];
    await play(newsroom, 'edits', {
      site,
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
});
