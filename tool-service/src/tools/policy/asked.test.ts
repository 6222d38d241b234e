import { askAudit, askPolicy, listSkills, readSkill } from '@cloudhal/shared/contracts';
import { fail } from '@cloudhal/shared/errors';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openToolSite, type ToolSite } from '../testing/tool-site.ts';

// The services themselves are elsewhere; here it counts what they are asked and what becomes of their answer.
let site: ToolSite;
const asked: { service: string; tool: string; args: object }[] = [];
const skill = {
  name: 'write-article',
  title: 'Write an article',
  description: 'How to.',
  scopes: ['content:write'],
  digest: 'sha256:1',
  files: [],
  source: 'built-in' as const,
};

beforeAll(async () => {
  site = await openToolSite();
  for (const [service, message] of [
    ['policy', askPolicy],
    ['audit', askAudit],
  ] as const) {
    await site.bus.answer(message, async ({ permit, arguments: args }) => {
      const { tool } = site.permit(permit);
      asked.push({ service, tool, args });
      if (args.approval === 'ap_none') throw fail('not_found', { what: 'approval', id: 'ap_none' });
      return { data: { said: tool }, next: ['Wait.'], ...(service === 'audit' && { cursor: 'c' }) };
    });
  }
  await site.bus.answer(listSkills, async () => ({ digest: 'd', skills: [skill], problems: [] }));
  await site.bus.answer(readSkill, async ({ name, path }) => {
    if (name !== skill.name || path.includes('..')) throw fail('not_found', { what: 'skill', id: name });
    return { text: `${name} ${path}`, mimeType: 'text/markdown' };
  });
});
afterAll(() => site.drop());

describe('the tools that ask', () => {
  it.each([
    ['get_mode', {}, 'policy'],
    ['request_elevation', { mode: 'auto', minutes: 30, reason: 'A long list', tools: ['publish'] }, 'policy'],
    ['end_elevation', {}, 'policy'],
    ['explain_policy', { tool: 'publish', arguments: { what: 'all' } }, 'policy'],
    ['list_approvals', { status: 'pending' }, 'policy'],
    ['cancel_approval', { approval: 'ap_1' }, 'policy'],
    ['list_activity', { tool: 'publish', decision: 'allow' }, 'audit'],
  ])('%s passes its permit and arguments on, and the answer back', async (tool, args, service) => {
    const before = await site.check();
    const result = await site.call(tool, args);
    expect(result).toMatchObject({
      data: { said: tool },
      next: ['Wait.'],
      ...(service === 'audit' && { cursor: 'c' }),
    });
    expect(asked.at(-1)).toMatchObject({ service, tool, args });
    expect(await site.check()).toEqual(before);
  });

  it('say what the other service says', async () => {
    expect(await site.refusal('cancel_approval', { approval: 'ap_none' })).toMatchObject({ code: 'not_found' });
  });

  it.each([
    ['request_elevation', { mode: 'auto', minutes: 30 }, 'reason'],
    ['request_elevation', { mode: 'god', minutes: 30, reason: 'x' }, 'mode'],
    ['request_elevation', { mode: 'auto', minutes: 0, reason: 'x' }, 'minutes'],
    ['request_elevation', { mode: 'auto', minutes: 5, reason: 'x', grant: true }, 'grant'],
    ['explain_policy', {}, 'tool'],
    ['list_approvals', { status: 'waiting' }, 'status'],
    ['cancel_approval', {}, 'approval'],
    ['list_activity', { limit: 101 }, 'limit'],
    ['end_elevation', { id: 'x' }, 'id'],
  ])('%s refuses %j', async (tool, args, path) => {
    expect(await site.refusal(tool, args)).toMatchObject({ code: 'validation_failed', details: { path } });
  });
});

describe('skills', () => {
  it('are listed with their scopes, and read file by file', async () => {
    const { name, title, description, scopes, digest } = skill;
    expect(await site.data('list_skills')).toEqual({ skills: [{ name, title, description, scopes, digest }] });
    expect(await site.data('get_skill', { name })).toMatchObject({ path: 'SKILL.md', text: 'write-article SKILL.md' });
    expect(await site.data('get_skill', { name, path: 'references/style.md' })).toMatchObject({
      mimeType: 'text/markdown',
    });
  });

  it.each([
    [{ name: 'none' }, 'not_found'],
    [{ name: 'write-article', path: '../../secret' }, 'not_found'],
    [{}, 'validation_failed'],
    [{ name: 5 }, 'validation_failed'],
  ])('get_skill refuses %j', async (args, code) => {
    expect(await site.refusal('get_skill', args)).toMatchObject({ code });
  });
});
