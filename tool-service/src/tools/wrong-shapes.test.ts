import { CloudhalError } from '@cloudhal/shared/errors';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { tools } from './index.ts';
import { fullArguments, wrongArguments } from './testing/full-arguments.ts';
import { openToolSite, type ToolSite } from './testing/tool-site.ts';

let site: ToolSite;
beforeAll(async () => {
  site = await openToolSite();
});
afterAll(() => site.drop());

const rows = tools.map((tool) => [tool.facts.name, tool] as const);

it.each(rows)('%s refuses every wrong shape of its arguments, and says where it is', async (name, tool) => {
  tool.check(fullArguments(tool.facts.inputSchema));
  const before = await site.check();
  for (const { what, path, args } of wrongArguments(tool.facts.inputSchema)) {
    const refused = told(() => tool.check(args));
    expect([what, refused?.code, refused?.body.details?.path]).toEqual([what, 'validation_failed', path]);
    expect(refused?.body.next).toContain(path);
  }
  const [first] = wrongArguments(tool.facts.inputSchema);
  if (first) {
    const { site: _, ...args } = first.args;
    expect(await site.refusal(name, args)).toMatchObject({ code: 'validation_failed', applied: 'no' });
  }
  expect(await site.check()).toEqual(before);
});

function told(work: () => void): CloudhalError | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof CloudhalError) return error;
    throw error;
  }
  return undefined;
}
