import type { Bus, Stop } from '@cloudhal/shared/bus/bus';
import { events, getSkill, listSkills, readSkill } from '@cloudhal/shared/contracts';
import { cut } from '@cloudhal/shared/cut';
import { type CloudhalError, fail } from '@cloudhal/shared/errors';
import { houseFile } from '@cloudhal/shared/house-file';
import type { Log } from '@cloudhal/shared/log';
import type { Skill } from './load-skill.ts';
import { openRegistry } from './registry.ts';

export type Deps = {
  bus: Bus;
  log: Log;
  /** Folders of skills beside the built-in ones. They may add skills, not replace a built-in one. */
  folders?: readonly string[];
  /** Default: the skills that come with Cloudhal. */
  builtIn?: string;
  pollMs?: number;
};

/** Serves the skills of some folders, read only: nothing in a skill is ever run. */
export async function start({ bus, log, folders = [], builtIn, pollMs }: Deps): Promise<Stop> {
  const registry = await openRegistry({
    folders: [
      { path: builtIn ?? houseFile('skills-service/skills'), source: 'built-in' },
      ...folders.map((path) => ({ path, source: 'folder' as const })),
    ],
    log,
    onChange: ({ digest }) => bus.publish(events.skillsChanged, { digest }),
    ...(pollMs === undefined ? {} : { pollMs }),
  });

  function find(name: string): Skill {
    const skill = registry.current().skills.get(name);
    if (skill === undefined) throw notFound('skill', name);
    return skill;
  }

  const stops = [
    await bus.answer(listSkills, async () => {
      const { digest, skills, problems } = registry.current();
      return { digest, skills: [...skills.values()].map((skill) => skill.manifest), problems: [...problems] };
    }),
    await bus.answer(getSkill, async ({ name }) => find(name).manifest),
    await bus.answer(readSkill, async ({ name, path }) => {
      const file = find(name).files.get(path);
      if (file === undefined) throw notFound('file of this skill', path);
      return file;
    }),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
    await registry.stop();
  };
}

function notFound(what: string, asked: string): CloudhalError {
  return fail('not_found', { what, id: cut(asked, 100) });
}
