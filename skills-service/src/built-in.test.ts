import { readFileSync } from 'node:fs';
import { errorTable } from '@cloudhal/shared/errors';
import { houseFile } from '@cloudhal/shared/house-file';
import { createLog } from '@cloudhal/shared/log';
import type { Scope } from '@cloudhal/shared/policy';
import { beforeAll, describe, expect, test } from 'vitest';
import { loadSkills, type SkillSet } from './skill-set.ts';

type Row = { name: string; scopes: Scope[]; inputSchema?: object };

/** Tools that the catalogue plans and the committed table does not have yet; a playbook leaves out what a client does not list. */
const planned: Row[] = [];

const tableFile = new URL('../../tool-service/tools.json', import.meta.url);
const table: Row[] = JSON.parse(readFileSync(tableFile, 'utf8')).tools;
const tools = new Map([...planned, ...table].map((row) => [row.name, row]));

/** Words in code style that look like a tool: a verb, then what it is done to. */
const verbs = /^(?:publish|rollback|unpublish|[a-z]+_[a-z_]+)$/;
const names = ['write-article', 'publish-changes', 'triage-comments', 'translate-content'];

let set: SkillSet;
beforeAll(async () => {
  const log = createLog('skills-service', { level: 'silent' });
  set = await loadSkills([{ path: houseFile('skills-service/skills'), source: 'built-in' }], log);
});

test('the built-in skills load without a problem', () => {
  expect(set.problems).toEqual([]);
  expect([...set.skills.keys()].sort()).toEqual([...names].sort());
});

describe.each(names)('%s', (name) => {
  function words(): string[] {
    const text = [...set.skills.get(name)!.files.values()].map((file) => file.text).join('\n');
    return [...new Set([...text.matchAll(/`([a-z_]+)`/g)].map((match) => match[1]!))];
  }
  const isCode = (word: string) => Object.hasOwn(errorTable, word);

  test('names only tools and error codes that exist', () => {
    expect(words().filter((word) => verbs.test(word) && !tools.has(word) && !isCode(word))).toEqual([]);
  });

  test('declares exactly the scopes that its tools need', () => {
    const needed = words().flatMap((word) => tools.get(word)?.scopes ?? []);
    expect(set.skills.get(name)!.manifest.scopes).toEqual([...new Set(needed)].sort());
  });

  test('links only to references that it has', () => {
    const { files } = set.skills.get(name)!;
    for (const [, path] of files.get('SKILL.md')!.text.matchAll(/\]\(([^)]+)\)/g))
      expect([...files.keys()]).toContain(path);
  });
});

test('no planned tool is in the table: take it off the list once it is', () => {
  const there = new Set(table.map((row) => row.name));
  expect(planned.filter((row) => there.has(row.name))).toEqual([]);
});
