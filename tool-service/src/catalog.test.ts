import { readFile, writeFile } from 'node:fs/promises';
import { houseFile } from '@cloudhal/shared/house-file';
import { describe, expect, it } from 'vitest';
import { catalogueOf, toolsJson } from './catalog.ts';
import { tools } from './tools/index.ts';

describe('the catalogue', () => {
  it('is the committed table', async () => {
    const file = houseFile('tool-service/tools.json');
    if (process.env.UPDATE_TOOLS === '1') await writeFile(file, toolsJson(tools));
    const hint =
      'The tools changed: run UPDATE_TOOLS=1 npx vitest run tool-service/src/catalog.test.ts and commit tools.json.';
    expect(await readFile(file, 'utf8'), hint).toBe(toolsJson(tools));
  });

  it('has the same digest every time, and another one after any change', () => {
    const { digest } = catalogueOf(tools);
    expect(catalogueOf(tools).digest).toBe(digest);
    const [first, ...rest] = tools;
    const changed = { ...first!, facts: { ...first!.facts, title: 'Another title' } };
    expect(catalogueOf([changed, ...rest]).digest).not.toBe(digest);
    expect(catalogueOf([...rest, first!]).digest).not.toBe(digest);
  });

  it('fits into one message', () => {
    expect(Buffer.byteLength(JSON.stringify(catalogueOf(tools)))).toBeLessThan(512 * 1024);
  });
});
