import { describe, expect, it } from 'vitest';
import { setupsFor } from './setups.ts';

const url = 'https://studio.example.com/mcp';
const key = 'chk_live_abc_def';
const setups = setupsFor(url, key);

describe('the set-up of a client', () => {
  it.each(setups.map((setup) => [setup.name, setup] as const))(
    '%s: has the address and the key filled in',
    (_, { steps }) => {
      const all = steps.map(({ code }) => code).join('\n');
      expect(all).toContain(url);
      expect(all).toContain(key);
      expect(all).not.toMatch(/<|studio-host|your key/i);
    },
  );

  it('is valid JSON where it is a file', () => {
    const files = setups.flatMap(({ steps }) => steps).filter(({ label }) => label.endsWith('.json'));
    expect(files.map(({ label }) => label)).toEqual([
      '.cursor/mcp.json',
      '.vscode/mcp.json',
      'mcp_config.json',
      '.zed/settings.json',
    ]);
    for (const { code } of files) expect(() => JSON.parse(code)).not.toThrow();
  });

  it('says where it cannot work: a client in the cloud does not reach this machine', () => {
    const noteOf = (address: string) => setupsFor(address, key).find(({ id }) => id === 'claude')?.note;
    expect(noteOf('http://localhost:4400/mcp')).toBeDefined();
    expect(noteOf(url)).toBeUndefined();
  });
});
