import { CloudhalError, errorTable, fail } from '@cloudhal/shared/errors';
import { compile } from '@cloudhal/shared/schema';
import { listedTool } from '@cloudhal/shared/tool';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { tools } from './index.ts';
import { type Args, argumentsOf } from './testing/arguments-of.ts';
import { furnish, openToolSite, type ToolSite } from './testing/tool-site.ts';

const rows = tools.map((tool) => [tool.facts.name, tool] as const);
const numRuns = Number(process.env.RUNS ?? 4);

describe('arguments that were made from what clients are shown', () => {
  it.each(rows)('are never refused on their shape by %s', (_, tool) => {
    const { inputSchema } = listedTool(tool.facts);
    const listed: (args: unknown) => void = compile(inputSchema);
    fc.assert(
      fc.property(argumentsOf(inputSchema), (args) => {
        listed(args);
        tool.check(args);
      }),
      { numRuns: 50 },
    );
  });
});

describe('whatever is right in shape', () => {
  let site: ToolSite;
  let stand: Awaited<ReturnType<ToolSite['check']>>;
  let known: Awaited<ReturnType<typeof furnish>>;
  beforeAll(async () => {
    site = await openToolSite({ locales: ['en', 'de'] });
    site.deps.can.inspect = () =>
      Promise.reject(fail('renderer_unavailable', { problem: 'a test', how: 'Install one.' }));
    site.deps.can.fetch = () => Promise.reject(fail('fetch_blocked', { reason: 'a test' }));
    known = await furnish(site);
    stand = await site.check();
  });
  afterAll(() => site.drop());

  // Other services answer these.
  const own = rows.filter(([, { handler }]) => handler.kind !== 'ask');
  it.each(own)('%s does, or refuses with a code and changes nothing', async (name, tool) => {
    await fc.assert(
      fc.asyncProperty(argumentsOf(listedTool(tool.facts).inputSchema, known), async ({ site: _, ...args }: Args) => {
        const before = stand;
        const result = await site.call(name, args).catch((error: unknown) => error);
        const after = await site.check();
        stand = after;
        if (result instanceof Error) {
          if (!(result instanceof CloudhalError)) throw result;
          expect(result.body, `${name} ${JSON.stringify(args)}`).toMatchObject({
            applied: 'no',
            next: expect.stringMatching(/\S/),
          });
          expect(Object.keys(errorTable)).toContain(result.code);
          expect(result.code, `${name} ${JSON.stringify(args)}`).not.toBe('internal');
          expect(after).toEqual(before);
        } else {
          expect(after.seq).toBe(before.seq + ((result as { changed?: boolean }).changed ? 1 : 0));
        }
      }),
      { numRuns, endOnFailure: true },
    );
  });
});
