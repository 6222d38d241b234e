import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { history } from './sites.ts';

type Tool = { name: string; mutates: boolean };
const { tools }: { tools: Tool[] } = JSON.parse(
  readFileSync(new URL('../../../../tool-service/tools.json', import.meta.url), 'utf8'),
);

describe('the history of a site', () => {
  it('says in words what every tool that changes something did', () => {
    const wordless = tools.filter(({ name, mutates }) => mutates && history.tool(name) === name.replaceAll('_', ' '));
    expect(tools.some(({ mutates }) => mutates)).toBe(true);
    expect(wordless.map(({ name }) => name)).toEqual([]);
  });
});
