import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bus, Stop } from '@cloudhal/shared/bus/bus';
import { createInProcessBus } from '@cloudhal/shared/bus/in-process-bus';
import { events, getSkill, listSkills, readSkill } from '@cloudhal/shared/contracts';
import { createLog } from '@cloudhal/shared/log';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { start } from './service.ts';

const log = createLog('skills-service', { level: 'silent' });
const budget = { timeoutMs: 2_000 };
let root: string;
let bus: Bus;
let stop: Stop;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cloudhal-service-'));
  await mkdir(join(root, 'own-skill/references'), { recursive: true });
  await writeFile(join(root, 'own-skill/SKILL.md'), '---\nname: own-skill\ndescription: Ours.\n---\nSteps.\n');
  await writeFile(join(root, 'own-skill/references/a.md'), 'one');
  await writeFile(join(root, 'secret.txt'), 'secret');
  await mkdir(join(root, 'linked'));
  await writeFile(join(root, 'linked/SKILL.md'), '---\nname: linked\ndescription: x\n---\n');
  await symlink(join(root, 'secret.txt'), join(root, 'linked/secret.md'));
  bus = createInProcessBus({ log });
  stop = await start({ bus, log, folders: [root] });
});
afterAll(async () => {
  await stop();
  await bus.close();
  await rm(root, { recursive: true });
});

test('the built-in skills and those of a folder are served', async () => {
  const { skills, problems, digest } = await bus.request(listSkills, {}, budget);
  expect(skills.map((skill) => `${skill.source} ${skill.name}`)).toEqual([
    'built-in publish-changes',
    'built-in translate-content',
    'built-in triage-comments',
    'built-in write-article',
    'folder own-skill',
  ]);
  expect(digest).toMatch(/^sha256:/);
  expect(problems).toEqual([expect.stringContaining('linked: secret.md is not a regular file')]);
  const manifest = await bus.request(getSkill, { name: 'write-article' }, budget);
  expect(manifest).toEqual(skills.find((skill) => skill.name === 'write-article'));
});

test('a file is read by the path that its manifest lists', async () => {
  const file = await bus.request(readSkill, { name: 'own-skill', path: 'references/a.md' }, budget);
  expect(file).toEqual({ text: 'one', mimeType: 'text/markdown' });
});

describe('nothing else is read', () => {
  test.each([
    ['own-skill', '../secret.txt'],
    ['own-skill', 'references/../../secret.txt'],
    ['own-skill', '%2e%2e/secret.txt'],
    ['own-skill', '..%2fsecret.txt'],
    ['own-skill', 'references/a.md\0'],
    ['own-skill', './SKILL.md'],
    ['own-skill', '/etc/passwd'],
    ['own-skill', ''],
    ['own-skill', '__proto__'],
    ['linked', 'secret.md'],
    ['linked', 'SKILL.md'],
    ['../own-skill', 'SKILL.md'],
    ['own-skill/references', 'a.md'],
    ['__proto__', 'SKILL.md'],
    ['constructor', 'name'],
  ])('%s %s', async (name, path) => {
    await expect(bus.request(readSkill, { name, path }, budget)).rejects.toMatchObject({ code: 'not_found' });
  });

  test('and a name that is no skill is not found', async () => {
    for (const name of ['nope', '__proto__', 'toString', 'x'.repeat(10_000)]) {
      await expect(bus.request(getSkill, { name }, budget)).rejects.toMatchObject({ code: 'not_found' });
    }
  });
});

test('a changed reference is told of once, with the new digest', async () => {
  const told: string[] = [];
  await bus.subscribe(events.skillsChanged, ({ digest }) => told.push(digest));
  const before = await bus.request(listSkills, {}, budget);
  await writeFile(join(root, 'own-skill/references/a.md'), 'two');
  await vi.waitFor(() => expect(told).toHaveLength(1), 5_000);
  const after = await bus.request(listSkills, {}, budget);
  expect(after.digest).not.toBe(before.digest);
  expect(told).toEqual([after.digest]);
});
