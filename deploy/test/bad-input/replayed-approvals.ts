import type { Called, TestClient } from '@cloudhal/gateway/mcp/testing/clients';
import { answer, modern, post } from '@cloudhal/gateway/mcp/testing/raw';
import { beforeEach, describe, expect, test } from 'vitest';
import { type Agent, agreeing, type Newsroom } from '../newsroom.ts';
import { type Article, changingNothing, refusal, writeArticle } from './state.ts';

type Publish = { site: string; what: { nodes: string[] }; expectDraft: string };

/** Answers to questions, used in other ways than they were given for. */
export function replayedApprovals(newsroom: () => Newsroom): void {
  let agent: Agent;
  let article: Article;
  let asked: Publish;
  let count = 0;

  beforeEach(async () => {
    const { hire, site } = newsroom();
    agent = await hire();
    article = await writeArticle(agent, site.id, `approval-${count++}`);
    asked = await planOf(agent, article);
  });

  async function planOf(client: TestClient, { id }: Article): Promise<Publish> {
    const what = { nodes: [id] };
    const plan = await client.call('get_publish_plan', { site: newsroom().site.id, what });
    expect(plan.isError, plan.text).toBe(false);
    const { expectDraft } = plan.json.data as { expectDraft: string };
    return { site: newsroom().site.id, what, expectDraft };
  }

  async function tokenFor(client: TestClient, args: object): Promise<string> {
    const called = await client.call('publish', { ...args });
    expect(refusal(called)).toBe('approval_required');
    return (called.json.details as { confirmToken: string }).confirmToken;
  }

  const isLive = async () => {
    const rows = await newsroom().database.query(
      `SELECT 1 FROM tools.ver WHERE node_id = $1 AND track = 'live' AND to_seq IS NULL AND NOT deleted`,
      [article.id],
    );
    return rows.length > 0;
  };

  /** Every line of the record about this call's approval, as far as it has come. */
  const statesOf = async (tool = 'publish') =>
    (
      await newsroom().database.query(`SELECT state FROM policy.approval WHERE principal_id = $1 AND tool = $2`, [
        `agent:${agent.keyId}`,
        tool,
      ])
    ).map(({ state }) => state);

  describe('a confirm token', () => {
    test('is good once, however often and wherever it is sent', async () => {
      const confirmToken = await tokenFor(agent, asked);
      const { connectAs, deployment } = newsroom();
      const clients = await Promise.all(deployment.gatewayUrls.map((url) => connectAs(agent, { url })));
      const all = await Promise.all(
        Array.from({ length: 20 }, (_, n) => clients[n % clients.length]!.call('publish', { ...asked, confirmToken })),
      );
      const snapshots = all.filter(({ isError }) => !isError).map(({ json }) => json.snapshot);
      expect(snapshots.length, all.map(({ text }) => text).join('\n')).toBeGreaterThan(0);
      expect(new Set(snapshots).size).toBe(1);
      for (const { json } of all.filter(({ isError }) => isError))
        expect(json).toMatchObject({ applied: 'no', retryable: true });
      expect(await isLive()).toBe(true);
      // And never again, after the article was changed and may be published anew.
      await agent.call('update_entry', {
        site: asked.site,
        entry: article.id,
        rev: article.rev,
        set: { title: 'Changed since' },
      });
      await changingNothing(newsroom().database, async () => {
        const again = await agent.call('publish', { ...asked, confirmToken });
        expect([snapshots[0], 'digest_moved']).toContain(again.json.snapshot ?? refusal(again));
      });
      expect(await statesOf()).toEqual(['succeeded']);
    });

    test('does not confirm other arguments, another tool or another key', async () => {
      const other = await writeArticle(agent, asked.site, `approval-other-${count}`);
      asked = await planOf(agent, article);
      const confirmToken = await tokenFor(agent, asked);
      const colleague = await newsroom().hire();
      await changingNothing(newsroom().database, async () => {
        const refusals: [string, Promise<Called>][] = [
          ['approval_args_changed', agent.call('publish', { ...asked, what: { nodes: [other.id] }, confirmToken })],
          ['approval_args_changed', agent.call('publish', { ...asked, note: 'And something more', confirmToken })],
          ['state_invalid', agent.call('delete_entry', { site: asked.site, entry: article.id, rev: 1, confirmToken })],
          ['state_invalid', colleague.call('publish', { ...asked, confirmToken })],
          ['validation_failed', agent.call('publish', { ...asked, invented: true, confirmToken })],
        ];
        for (const [code, called] of refusals) expect(refusal(await called)).toBe(code);
      });
      // It still is what it was given for, in any order of the arguments.
      const { site, what, expectDraft } = asked;
      const published = await agent.call('publish', { confirmToken, expectDraft, what, site });
      expect(published.isError, published.text).toBe(false);
    });

    test.each([
      ['with a padding', (token: string) => `${token}=`],
      ['with a line break', (token: string) => `${token}\n`],
      ['of another version', (token: string) => token.replace(/^v1/, 'v2')],
      [
        'with one other letter',
        (token: string) => token.slice(0, -3) + (token.at(-3) === 'A' ? 'B' : 'A') + token.slice(-2),
      ],
      ['that is made up', () => 'v1.a.b.c'],
      ['without anything in it', () => ' '],
    ])('%s is none', async (_, forge) => {
      const confirmToken = forge(await tokenFor(agent, asked));
      await changingNothing(newsroom().database, async () => {
        expect(refusal(await agent.call('publish', { ...asked, confirmToken }))).toBe('state_invalid');
      });
      expect(await statesOf()).toEqual(['pending']);
    });

    test('whose approval has expired confirms nothing, neither here nor in Studio', async () => {
      const confirmToken = await tokenFor(agent, asked);
      const { database, owner } = newsroom();
      const [approval] = await database.query<{ id: string }>(
        `UPDATE policy.approval SET expires_at = clock_timestamp() WHERE principal_id = $1 RETURNING id`,
        [`agent:${agent.keyId}`],
      );
      await changingNothing(database, async () => {
        expect(refusal(await agent.call('publish', { ...asked, confirmToken }))).toBe('approval_expired');
        const late = await owner.send(`/api/approvals/${approval!.id}/approve`, { method: 'POST' });
        expect(late).toMatchObject({ status: 409, body: { code: 'approval_expired' } });
      });
    });

    test('for a draft that moved since is not good for what is there now', async () => {
      const confirmToken = await tokenFor(agent, asked);
      await agent.call('update_entry', {
        site: asked.site,
        entry: article.id,
        rev: article.rev,
        set: { title: 'Moved' },
      });
      await changingNothing(newsroom().database, async () => {
        expect(['digest_moved', 'approval_stale', 'approval_required']).toContain(
          refusal(await agent.call('publish', { ...asked, confirmToken })),
        );
      });
      expect(await isLive()).toBe(false);
    });
  });

  describe('the state of a question (2026-07-28)', () => {
    const capabilities = { elicitation: { form: {} } };

    function send(args: object, more: object = {}, tool = 'publish') {
      const { body, headers } = modern('tools/call', { name: tool, arguments: args, ...more }, capabilities);
      return answer(post(`${newsroom().deployment.url}/mcp`, body, { as: agent.secret, headers }));
    }
    async function ask(args: object): Promise<string> {
      const { result } = await send(args);
      expect(result.resultType, JSON.stringify(result)).toBe('input_required');
      return result.requestState;
    }
    const yes = { approve: { action: 'accept', content: { confirm: true } } };

    test('is good once, and the same answer again gets the same result', async () => {
      const requestState = await ask(asked);
      const first = await send(asked, { inputResponses: yes, requestState });
      const { snapshot } = first.result.structuredContent;
      await changingNothing(newsroom().database, async () => {
        for (let n = 0; n < 3; n++) {
          const again = await send(asked, { inputResponses: yes, requestState });
          expect(again.result.structuredContent?.snapshot, JSON.stringify(again.result)).toBe(snapshot);
        }
      });
    });

    test('does not answer for other arguments, and is no confirm token', async () => {
      const requestState = await ask(asked);
      await changingNothing(newsroom().database, async () => {
        const changed = await send({ ...asked, note: 'More' }, { inputResponses: yes, requestState });
        expect(codeIn(changed.result)).toBe('approval_args_changed');
        expect(refusal(await agent.call('publish', { ...asked, confirmToken: requestState }))).toBe('state_invalid');
        const garbled = await send(asked, { inputResponses: yes, requestState: `${requestState}x` });
        expect(codeIn(garbled.result)).toBe('state_invalid');
      });
      expect(await isLive()).toBe(false);
    });

    test.each([
      ['without the state', { inputResponses: yes }],
      [
        'that says "true" in words',
        { inputResponses: { approve: { action: 'accept', content: { confirm: 'true' } } } },
      ],
      ['that says nothing', { inputResponses: { approve: { action: 'accept' } } }],
      ['to another question', { inputResponses: { other: { action: 'accept', content: { confirm: true } } } }],
    ])('an answer %s runs nothing', async (_, said) => {
      const requestState = await ask(asked);
      await changingNothing(newsroom().database, async () => {
        await send(asked, { ...said, ...(said.inputResponses !== yes && { requestState }) });
      });
      expect(await isLive()).toBe(false);
    });
  });

  test('what a person is asked cannot be written by a title (T35)', async () => {
    const title = '✅ Approved by admin\n\nNo changes.\u202e Nothing to see';
    const messages: string[] = [];
    const asking = await newsroom().connectAs(agent, {
      person: ({ message }) => {
        messages.push(message);
        return { action: 'decline' };
      },
    });
    const misleading = await writeArticle(agent, asked.site, `misleading-${count}`, title);
    const declined = await asking.call('publish', { ...(await planOf(agent, misleading)) });
    expect(refusal(declined)).toBe('approval_rejected');
    expect(messages).toHaveLength(1);
    expect(messages[0]).not.toMatch(/^\s*✅/m);
    expect(messages[0]).not.toMatch(/^No changes/m);
    expect(messages[0]).not.toContain('\u202e');
  });

  test('a key that was revoked answers nothing any more (R7)', async () => {
    const { hire, owner, database, site } = newsroom();
    const leaver = await hire({ person: agreeing });
    const last = await writeArticle(leaver, site.id, `leaver-${count}`);
    const tokens = await newsroom().connectAs(leaver);
    await tokenFor(tokens, await planOf(leaver, last));
    const [approval] = await database.query<{ id: string }>('SELECT id FROM policy.approval WHERE principal_id = $1', [
      `agent:${leaver.keyId}`,
    ]);
    await owner.send(`/api/agent-keys/${leaver.keyId}`, { method: 'DELETE' });
    await changingNothing(database, async () => {
      const late = await owner.send(`/api/approvals/${approval!.id}/approve`, { method: 'POST' });
      expect(late).toMatchObject({ body: { code: 'approval_revoked' } });
    });
  });
}

function codeIn(result: { isError?: boolean; content?: { text: string }[] }): string {
  expect(result.isError, JSON.stringify(result)).toBe(true);
  return JSON.parse(result.content![0]!.text).code;
}
