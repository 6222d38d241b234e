import { Type } from 'typebox';
import { Input, readTool, writeTool } from '../define-tool.ts';
import type { Moment } from '../running.ts';
import { createEntry } from '../tools/entries/create-entry.ts';
import { getEntry } from '../tools/entries/get-entry.ts';
import { updateEntry } from '../tools/entries/update-entry.ts';
import { openTestRunner } from './test-runner.ts';
import { pageBody } from './test-site.ts';

type Hooks = {
  prepare: () => Promise<void>;
  run: () => Promise<void>;
  at: (moment: Moment, callId: string) => Promise<void>;
};
const none: Hooks = { prepare: async () => undefined, run: async () => undefined, at: async () => undefined };

const common = { title: 'Test', description: 'For tests.', output: Type.Unsafe<unknown>({}) };

/** A worker with a tool that makes a page, in the moments of which a test can do what it likes, and one that breaks down. */
export async function openPageMaker() {
  let hooks = none;
  const makePage = writeTool({
    ...common,
    name: 'make_page',
    effect: 'edit',
    scopes: ['content:write'],
    hints: { destructive: false, idempotent: false },
    input: Input({
      slug: Type.String(),
      requestId: Type.Optional(Type.String()),
      note: Type.Optional(Type.String()),
      dryRun: Type.Optional(Type.Boolean()),
    }),
    prepare: () => hooks.prepare(),
    async run({ slug }, draft) {
      await hooks.run();
      const node = await draft.create('page', pageBody(slug));
      return { data: { id: node.id }, rev: node.rev };
    },
  });
  const breakDown = readTool({
    ...common,
    name: 'break_down',
    scopes: ['content:read'],
    input: Input({}),
    run: () => Promise.reject(new Error('SELECT secret FROM /etc/passwd')),
  });
  const runner = await openTestRunner([getEntry, createEntry, updateEntry, makePage, breakDown], {
    at: (moment, callId) => hooks.at(moment, callId),
  });
  return {
    ...runner,
    exists: async (slug: string) => (await runner.view().find('page', `/${slug}`)) !== undefined,
    /** Runs `during` with hooks set, and takes them off again. */
    async holding<T>(set: Partial<Hooks>, during: () => Promise<T>): Promise<T> {
      hooks = { ...none, ...set };
      try {
        return await during();
      } finally {
        hooks = none;
      }
    },
  };
}

export type PageMaker = Awaited<ReturnType<typeof openPageMaker>>;
