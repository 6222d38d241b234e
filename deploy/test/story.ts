import { randomBytes } from 'node:crypto';
import type { Called, Question, TestClient } from '@cloudhal/gateway/mcp/testing/clients';
import { send } from '@cloudhal/gateway/testing/send';
import { expect } from 'vitest';
import { importBatches, realDocuments } from './real-documents.ts';

export type Stage = {
  /** Connects a client whose person answers with `person`; the caller closes it. */
  connect(person: (question: Question) => Answer): Promise<TestClient>;
  /** Where sites are served. */
  url: string;
  documents: number;
};
type Answer = { action: 'accept'; content: { confirm: boolean } } | { action: 'decline' };

const accept: Answer = { action: 'accept', content: { confirm: true } };

/** The value of a call that worked; anything else fails the test with what the server said. */
export function worked(called: Called): { data: Record<string, unknown>; rev: number; snapshot: string } {
  expect(called.isError, called.text).toBe(false);
  return called.json as never;
}

/** The main job: an agent imports, edits, previews and asks to publish; a person decides; it is rolled back. */
export async function playStory({ connect, url, documents: count }: Stage): Promise<void> {
  const questions: Question[] = [];
  let answer: Answer = accept;
  const agent = await connect((question) => {
    questions.push(question);
    return answer;
  });
  try {
    const site = (worked(await agent.call('list_sites')).data.sites as { id: string; slug: string }[])[0]!;
    const call = (tool: string, args: object, skill?: string) =>
      agent.call(tool, { site: site.id, ...args }, skill ? { meta: { 'cloudhal.skill': skill } } : {});

    // Real documents come in as drafts; so many at once wait for a person.
    const documents = await realDocuments(count, randomBytes(3).toString('hex'));
    for (const items of importBatches(documents)) {
      worked(await call('import_entries', { type: 'article', items, onExisting: 'fail', dryRun: false }));
    }
    expect(questions).toHaveLength(importBatches(documents).length);
    const listed = worked(await call('list_entries', { type: 'article', limit: 100 })).data.entries as object[];
    expect(listed.length).toBe(100);

    // One is edited under a skill: byte for byte what it was, but for the edit.
    const document = documents[3]!;
    const before = worked(await call('get_entry', { entry: document.slug }, 'write-article'));
    const { id: entry, rev, untrusted } = before.data as { id: string; rev: number; untrusted: { body: string }[] };
    // What strangers wrote is kept apart, whole.
    expect(untrusted[0]?.body).toBe(document.body);
    const sentence = 'A sentence that the agent adds.';
    const find = document.body.slice(0, 60);
    const edited = worked(
      await call(
        'edit_body',
        {
          entry,
          rev,
          edits: [{ find, replace: `${sentence}\n\n${find}`, count: occurrences(document.body, find) }],
        },
        'write-article',
      ),
    );
    expect(edited.rev).toBe(rev + 1);

    // The preview is a page with the edit in it, and private.
    const preview = worked(await call('preview_page', { node: entry }, 'write-article')).data.url as string;
    const page = await fetch(preview);
    expect(page.status).toBe(200);
    expect(await page.text()).toContain(sentence);
    expect(page.headers.get('cache-control')).toContain('no-store');

    // Publishing waits for a person, who sees the diff. Declined, nothing is live.
    const live = `${url}/sites/${site.slug}/articles/${document.slug}`;
    const what = { nodes: [entry] };
    const plan = async () => worked(await call('get_publish_plan', { what }, 'publish-changes')).data.expectDraft;
    questions.length = 0;
    answer = { action: 'decline' };
    const declined = await call('publish', { what, expectDraft: await plan() }, 'publish-changes');
    expect(declined.json).toMatchObject({ code: 'approval_rejected', applied: 'no' });
    expect(questions).toHaveLength(1);
    expect(questions[0]!.message).toContain(document.frontmatter.title);
    expect(questions[0]!.message).toContain(`+${sentence}`);
    expect((await fetch(live)).status).toBe(404);

    // Accepted, it is.
    answer = accept;
    const published = worked(await call('publish', { what, expectDraft: await plan() }, 'publish-changes'));
    const livePage = await fetch(live);
    expect(livePage.status).toBe(200);
    expect(await livePage.text()).toContain(sentence);
    const again = await send(live, { headers: { 'if-none-match': livePage.headers.get('etag')! } });
    expect(again.status).toBe(304);

    // Rolled back, the draft is byte for byte what was imported, and the page is gone again.
    const history = worked(await call('list_snapshots', { limit: 10 })).data.snapshots as {
      id: string;
      tool: string;
    }[];
    const imported = history.find(({ tool }) => tool === 'import_entries')!;
    worked(
      await call('rollback', {
        snapshot: imported.id,
        track: 'both',
        expectLive: published.snapshot,
        reason: 'the story ends',
      }),
    );
    const after = worked(await call('get_entry', { entry }));
    expect(after.data.untrusted).toEqual(untrusted);
    expect((await fetch(live)).status).toBe(404);

    // The record says who did what, under which skill, with which snapshot.
    const lineOfPublish = async () => {
      const activity = worked(await call('list_activity', { limit: 50 })).data.activity as Record<string, unknown>[];
      return activity.find(({ tool, snapshot }) => tool === 'publish' && snapshot === published.snapshot);
    };
    // The record follows what happens; it may be a moment behind.
    await expect
      .poll(lineOfPublish, { timeout: 20_000 })
      .toMatchObject({ skill: expect.stringContaining('publish-changes') });
  } finally {
    await agent.close();
  }
}

function occurrences(text: string, part: string): number {
  return text.split(part).length - 1;
}
