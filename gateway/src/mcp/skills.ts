import { type Bus, BusError } from '@cloudhal/shared/bus/bus';
import { getSkill, listSkills, readSkill, type SkillManifest } from '@cloudhal/shared/contracts';
import { CloudhalError, fail } from '@cloudhal/shared/errors';
import type { Log } from '@cloudhal/shared/log';
import { type Skill, SkillsExtension, skillEntry } from '@modelcontextprotocol/server/ext/skills';
import { LRUCache } from 'lru-cache';
import type { Static } from 'typebox';
import { protocolErrorOf } from './faults.ts';

type Manifest = Static<typeof SkillManifest>;

const timeoutMs = 1_000;

/**
 * The registry of skills as resources (`skill://<name>/SKILL.md` and its references) and by the skills extension
 * (SEP-2640), which lists the same files with their digests. skills-service is asked each time; only entries, which are
 * made from the files' bytes, are kept, by digest.
 */
export function createSkills({ bus, log }: { bus: Bus; log: Log }): SkillsExtension {
  const entries = new LRUCache<string, Skill>({ max: 200 });

  async function read(name: string, path: string) {
    return await found(bus.request(readSkill, { name, path }, { timeoutMs }));
  }

  async function entryOf({ name, digest, files }: Manifest): Promise<Skill | undefined> {
    const known = entries.get(digest);
    if (known !== undefined) return known;
    const texts = await Promise.all(files.map(async ({ path }) => [path, (await read(name, path))?.text] as const));
    const complete = texts.filter((file): file is [string, string] => file[1] !== undefined);
    if (complete.length !== texts.length) return undefined;
    try {
      const entry = await skillEntry(name, Object.fromEntries(complete));
      entries.set(digest, entry);
      return entry;
    } catch (error) {
      log.warn({ err: error, skill: name }, 'a skill cannot be listed by the extension');
      return undefined;
    }
  }

  return new SkillsExtension({
    cacheHint: { ttlMs: 60_000, cacheScope: 'private' },
    onWarning: (warning) => log.warn(warning, 'a skill is not served as it is'),
    source: {
      async list() {
        const { skills } = await ours(bus.request(listSkills, {}, { timeoutMs }));
        const listed = await ours(Promise.all(skills.map(entryOf)));
        return { skills: listed.filter((entry) => entry !== undefined) };
      },
      async get(uri) {
        const { name, path } = parse(uri) ?? {};
        if (name === undefined || path !== 'SKILL.md') return undefined;
        const manifest = await ours(found(bus.request(getSkill, { name }, { timeoutMs })));
        return manifest && (await ours(entryOf(manifest)));
      },
      async read(uri) {
        const { name, path } = parse(uri) ?? {};
        return name === undefined || path === undefined ? undefined : await ours(read(name, path));
      },
      async listResources() {
        const { skills } = await ours(bus.request(listSkills, {}, { timeoutMs }));
        return skills.flatMap(resourcesOf);
      },
    },
  });
}

function resourcesOf({ name, title, description, files }: Manifest) {
  return files.map(({ path, bytes, mimeType }) => {
    const main = path === 'SKILL.md';
    return {
      uri: `skill://${name}/${path}`,
      name: main ? name : `${name}/${path}`,
      title: main ? title : `${title}: ${path}`,
      description: main ? description : `A file of the skill ${name}.`,
      mimeType,
      size: bytes,
    };
  });
}

/** The registry looks names and paths up in an index, so whatever else a URI says is simply not there. */
function parse(uri: string): { name: string; path: string } | undefined {
  const [, name, path] = /^skill:\/\/([^/?#]+)\/([^?#]+)$/.exec(uri) ?? [];
  try {
    return name && path ? { name: decodeURIComponent(name), path: decodeURIComponent(path) } : undefined;
  } catch {
    return undefined;
  }
}

async function found<T>(answer: Promise<T>): Promise<T | undefined> {
  return await answer.catch((error: unknown) => {
    if (error instanceof CloudhalError && error.code === 'not_found') return undefined;
    throw error;
  });
}

/** The SDK sends the text of what is thrown to the client. */
async function ours<T>(answer: Promise<T>): Promise<T> {
  return await answer.catch((error: unknown) => {
    throw protocolErrorOf(error instanceof BusError ? fail('skill_unavailable') : error);
  });
}
