import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Log } from '@cloudhal/shared/log';
import { digestOf, loadSkill, type Manifest, type Skill } from './load-skill.ts';
import { describeProblem } from './problem.ts';

/** A folder of skill folders. */
export type Folder = { path: string; source: Manifest['source'] };

/** All skills at one moment. */
export type SkillSet = { digest: string; skills: ReadonlyMap<string, Skill>; problems: readonly string[] };

/** Loads every skill it can; what it cannot is named in `problems`. Of two with one name the first folder's stays. */
export async function loadSkills(folders: readonly Folder[], log: Log): Promise<SkillSet> {
  const skills = new Map<string, Skill>();
  const problems: string[] = [];
  for (const { path, source } of folders) {
    for (const name of await skillFolders(path, problems)) {
      try {
        const skill = await loadSkill(join(path, name), source);
        const other = skills.get(name);
        if (other === undefined) skills.set(name, skill);
        else problems.push(`${name}: the ${other.manifest.source} skill of this name stays`);
      } catch (error) {
        problems.push(`${name}: ${describeProblem(error)}`);
        log.debug({ err: error, folder: path, skill: name }, 'a skill was left out');
      }
    }
  }
  const lines = [...skills.values()].map(({ manifest }) => `${manifest.name}\0${manifest.source}\0${manifest.digest}`);
  return { digest: digestOf(lines.sort()), skills, problems };
}

async function skillFolders(path: string, problems: string[]): Promise<string[]> {
  let entries: Dirent[];
  try {
    entries = await readdir(path, { withFileTypes: true });
  } catch {
    problems.push(`the skills folder "${basename(path)}" cannot be read`);
    return [];
  }
  for (const entry of entries.filter((entry) => entry.isSymbolicLink())) {
    problems.push(`${entry.name}: it is a link; links are not followed`);
  }
  const folders = entries.filter((entry) => entry.isDirectory() && !entry.name.startsWith('.'));
  return folders.map((entry) => entry.name).sort();
}
