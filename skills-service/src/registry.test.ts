import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog } from '@cloudhal/shared/log';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { openRegistry, type Registry } from './registry.ts';
import { loadSkills, type SkillSet } from './skill-set.ts';

const log = createLog('skills-service', { level: 'silent' });
let root: string;
let registry: Registry | undefined;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'cloudhal-skills-'));
});
afterEach(async () => {
  await registry?.stop();
  registry = undefined;
  await rm(root, { recursive: true });
});

async function write(path: string, name: string, text = 'one'): Promise<void> {
  const folder = join(root, path, name);
  await mkdir(join(folder, 'references'), { recursive: true });
  await writeFile(join(folder, 'SKILL.md'), `---\nname: ${name}\ndescription: ${path}\n---\n`);
  await writeFile(join(folder, 'references', 'a.md'), text);
}

describe('a set of skills', () => {
  test('leaves a bad skill out, says why without a path, and loads the rest', async () => {
    await write('own', 'good');
    await write('own', 'bad');
    await writeFile(join(root, 'own/bad/SKILL.md'), 'no head');
    await symlink(join(root, 'own/good'), join(root, 'own/linked'));
    const set = await loadSkills([{ path: join(root, 'own'), source: 'folder' }], log);
    expect([...set.skills.keys()]).toEqual(['good']);
    expect(set.problems).toHaveLength(2);
    expect(set.problems.join()).toContain('bad: it has to begin with front matter');
    expect(set.problems.join()).not.toContain(root);
  });

  test('keeps a built-in skill when a folder has one of its name', async () => {
    await write('built-in', 'write-article');
    await write('own', 'write-article', 'mine');
    await write('own', 'extra');
    const set = await loadSkills(
      [
        { path: join(root, 'built-in'), source: 'built-in' },
        { path: join(root, 'own'), source: 'folder' },
      ],
      log,
    );
    expect(set.skills.get('write-article')?.files.get('references/a.md')?.text).toBe('one');
    expect(set.skills.get('extra')?.manifest.source).toBe('folder');
    expect(set.problems).toEqual(['write-article: the built-in skill of this name stays']);
  });

  test('names a folder that is not there', async () => {
    const set = await loadSkills([{ path: join(root, 'nowhere'), source: 'folder' }], log);
    expect(set.problems).toEqual(['the skills folder "nowhere" cannot be read']);
  });
});

describe('a registry', () => {
  async function open(pollMs?: number): Promise<SkillSet[]> {
    const changes: SkillSet[] = [];
    registry = await openRegistry({
      folders: [{ path: join(root, 'own'), source: 'folder' }],
      log,
      onChange: (set) => changes.push(set),
      ...(pollMs !== undefined && { pollMs }),
    });
    return changes;
  }

  test('tells of a change once, however many reloads see it', async () => {
    await write('own', 'one');
    const changes = await open();
    await registry!.reload();
    expect(changes).toEqual([]);
    await write('own', 'one', 'two');
    await Promise.all([registry!.reload(), registry!.reload(), registry!.reload()]);
    expect(changes).toHaveLength(1);
    expect(registry!.current().digest).toBe(changes[0]!.digest);
  });

  test('sees a changed reference by itself', async () => {
    await write('own', 'one');
    const changes = await open();
    await writeFile(join(root, 'own/one/references/a.md'), 'two');
    await vi.waitFor(() => expect(changes).toHaveLength(1), 5_000);
    expect(changes[0]!.skills.get('one')?.files.get('references/a.md')?.text).toBe('two');
  });

  test('finds a folder that appears later', async () => {
    const changes = await open(50);
    expect(registry!.current().problems).toHaveLength(1);
    await write('own', 'late');
    await vi.waitFor(() => expect(registry!.current().skills.has('late')).toBe(true), 5_000);
    expect(registry!.current().problems).toEqual([]);
    expect(changes.length).toBeGreaterThan(0);
  });
});
