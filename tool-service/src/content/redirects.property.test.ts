import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestSite, pageBody, type TestSite } from '../testing/test-site.ts';
import { followRedirects, redirectAt } from './follow-redirects.ts';
import { redirectProblems } from './redirect-problems.ts';
import { addRedirects, leadOn } from './redirects.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(async () => {
  await site.check();
  await site.drop();
});

const path = fc.constantFrom('/a', '/b', '/c', '/d', '/e', '/f');
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constant('add' as const), from: path, to: path }),
    fc.record({ do: fc.constant('move' as const), page: fc.nat(1), to: path }),
  ),
  { minLength: 4, maxLength: 14 },
);

describe('any sequence of moves and redirects', () => {
  it('leaves no chain and no loop, and each address that a page ever had leads to a page', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const { data } = await site.change(async (draft) => {
          const pages = await Promise.all(['one', 'two'].map((slug) => draft.create('page', pageBody(slug))));
          return pages.map(({ id }) => id);
        });
        const ids = data as string[];
        const known = ids.map((_, index) => [['/one', '/two'][index]!]);
        for (const step of sequence) {
          // A refusal changes nothing; whether one is due is not the question here.
          await site
            .change(
              async (draft) => {
                if (step.do === 'add') return addRedirects(draft, [step]);
                const page = await draft.get('page', ids[step.page]!);
                const taken = await draft.atPath(step.to);
                if (taken && taken.kind !== 'redirect') return undefined;
                await draft.save('page', page.id, page.rev, (body) => ({ ...body, path: step.to }));
                return leadOn(
                  draft,
                  [...new Set(known[step.page])].map((from) => ({ from, to: step.to })),
                );
              },
              { exclusive: true },
            )
            .then(
              ({ changed }) => changed && step.do === 'move' && known[step.page]!.push(step.to),
              () => undefined,
            );
        }
        const view = site.view();
        const { items } = await view.list({ kind: 'redirect', limit: 100 });
        const problems = await redirectProblems(view, items);
        expect([...problems.values()].filter((problem) => problem !== 'dead')).toEqual([]);
        for (const from of known.flat()) {
          const { end, path: last } = await followRedirects(from, async (at) => (await redirectAt(view, at))?.body);
          expect([end, (await view.atPath(last!))?.kind]).toEqual(['here', 'page']);
        }
        await site.change(
          async (draft) => {
            const all = [...(await draft.list({ kind: 'redirect', limit: 100 })).items, ...(await draft.nodes(ids))];
            for (const node of all) await draft.remove(node.id, node.rev);
          },
          { exclusive: true },
        );
      }),
      { numRuns: 12 },
    );
  });
});
