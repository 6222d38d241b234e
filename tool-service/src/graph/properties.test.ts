import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rollBack } from '../publish/rollback.ts';
import { articleBody, openTestSite, type TestSite } from '../testing/test-site.ts';
import type { GraphNode } from './node.ts';

let site: TestSite;
beforeAll(async () => {
  site = await openTestSite();
});
afterAll(() => site.drop());

type Step =
  | { do: 'create' | 'trash' | 'restore' | 'publish' | 'unpublish'; node: number }
  | { do: 'edit'; node: number; text: string }
  | { do: 'rollback'; to: number; track: 'draft' | 'live' };

const node = fc.nat(5);
const steps = fc.array(
  fc.oneof(
    fc.record({ do: fc.constantFrom('create', 'trash', 'restore', 'publish', 'unpublish'), node }),
    fc.record({ do: fc.constant('edit'), node, text: fc.string({ unit: 'grapheme', maxLength: 12 }) }),
    fc.record({ do: fc.constant('rollback'), to: fc.nat(30), track: fc.constantFrom('draft', 'live') }),
  ) as fc.Arbitrary<Step>,
  { minLength: 8, maxLength: 25 },
);

describe('any sequence of changes', () => {
  it('adds up: one snapshot for each, exact digests, exact rollbacks, and fields that nobody touched', async () => {
    let run = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        run++;
        const untouched = await create(`untouched-${run}`);
        const ids: string[] = [];
        const states: { snapshot: string; draft: string; live: string }[] = [];
        for (const step of sequence) {
          const before = await site.check();
          const result = await apply(step, run, ids, states);
          const after = await site.check();
          expect(after.seq).toBe(before.seq + (result?.changed ? 1 : 0));
          if (!result?.changed) expect(after).toEqual(before);
          if (result?.snapshot) states.push({ snapshot: result.snapshot, draft: after.draft, live: after.live });
        }
        const [still] = await site.view().nodes([untouched.id]);
        if (!sequence.some((step) => step.do === 'rollback')) expect(still).toEqual(untouched);
        for (const { snapshot, draft, live } of states) {
          expect(await site.view().snapshot(snapshot)).toMatchObject({ draftDigest: draft, liveDigest: live });
        }
      }),
      { numRuns: 12, endOnFailure: true },
    );
  });
});

async function create(slug: string): Promise<GraphNode<'entry'>> {
  const { data } = await site.change((draft) => draft.create('entry', articleBody(slug)));
  const { id } = data as GraphNode<'entry'>;
  return site.view().get('entry', id);
}

/** Does one step where it makes sense; a rollback is to one of the states of this run, and must restore its digest. */
async function apply(
  step: Step,
  run: number,
  ids: string[],
  states: { snapshot: string; draft: string; live: string }[],
): Promise<{ changed?: boolean; snapshot?: string } | undefined> {
  if (step.do === 'rollback') {
    const state = states[step.to % Math.max(states.length, 1)];
    if (!state) return undefined;
    const { liveSnapshot } = await site.view().head();
    const result = await site.change(
      (draft) =>
        rollBack(draft, { snapshot: state.snapshot, tracks: [step.track], expectLive: liveSnapshot }, new Date()),
      { exclusive: true },
    );
    expect((await site.check())[step.track]).toBe(state[step.track]);
    return result;
  }
  if (step.do === 'create') {
    const slug = `run-${run}-${ids.length}`;
    const result = await site.change((draft) => draft.create('entry', articleBody(slug)));
    ids.push((result.data as GraphNode).id);
    return result;
  }
  const id = ids[step.node % Math.max(ids.length, 1)];
  const [now] = id === undefined ? [] : ((await site.view().nodes([id], { trash: true })) as GraphNode<'entry'>[]);
  if (!now) return undefined;
  return site.change(
    async (draft) => {
      if (step.do === 'unpublish') await draft.place('live', new Map([[now.id, undefined]]));
      else if (step.do === 'restore') await draft.restore(now, now.rev, now.body);
      else if (now.deleted) return;
      else if (step.do === 'trash') await draft.remove(now.id, now.rev);
      else if (step.do === 'publish') await draft.place('live', new Map([[now.id, now]]));
      else if (step.do === 'edit') await draft.save('entry', now.id, now.rev, (body) => ({ ...body, body: step.text }));
    },
    { exclusive: true },
  );
}
