import { createInterface } from 'node:readline/promises';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { CommandError } from '../command-error.ts';
import { withHouse } from '../house.ts';
import { typed } from '../own-command.ts';
import { findDataFolder, runningServer } from '../project.ts';

type Answer = { data: Record<string, unknown>; rev?: number; snapshot?: string };

/** Plays the story of one article with the official MCP client, and asks the person at the terminal for the approval. */
export async function demo({ data, yes }: { data: string; yes?: boolean }): Promise<void> {
  const folder = findDataFolder(data);
  const server = runningServer(folder);
  if (server === undefined)
    throw new CommandError(
      `Nothing runs here. Start it with \`${typed('start')}\`, then run the demo in another terminal.`,
    );
  if (!yes && !process.stdin.isTTY)
    throw new CommandError('The demo asks you for the approval: run it in a terminal, or with --yes.', { exitCode: 2 });

  step('An agent gets a key in mode "edits": it may write, and has to ask before it publishes.');
  const { key, secret } = await withHouse(folder, (house) =>
    house.createAgentKey({ name: 'demo', mode: 'edits', scopes: '*', expiresInDays: 1 }),
  );

  const client = new Client(
    { name: 'cloudhal-demo', version: '1.0.0' },
    { capabilities: { elicitation: { form: {} } }, versionNegotiation: { mode: 'auto' } },
  );
  client.setRequestHandler('elicitation/create', async ({ params }) => {
    console.log(`\n  ┌ the server asks the person\n${indent(params.message, '  │ ')}`);
    const confirmed = yes || (await confirm('  └ Approve? [y/N] '));
    return confirmed ? { action: 'accept', content: { confirm: true } } : { action: 'decline' };
  });
  await client.connect(
    new StreamableHTTPClientTransport(new URL(server.mcpUrl), {
      requestInit: { headers: { authorization: `Bearer ${secret}` } },
    }),
  );
  const call = async (tool: string, args: Record<string, unknown>): Promise<Answer> => {
    const result = await client.callTool({ name: tool, arguments: args });
    const [first] = result.content;
    const text = first?.type === 'text' ? first.text : '';
    if (result.isError) throw new CommandError(`${tool} answered: ${text}`);
    return JSON.parse(text) as Answer;
  };

  try {
    await play(call, server.url);
  } finally {
    await client.close();
    await withHouse(folder, (house) => house.revokeAgentKey(key.id));
  }
}

async function play(
  call: (tool: string, args: Record<string, unknown>) => Promise<Answer>,
  url: string,
): Promise<void> {
  step('It looks around: list_sites, then the tools it may use.');
  const sites = (await call('list_sites', {})).data.sites as { id: string; slug: string; title: string }[];
  const site = sites[0];
  if (site === undefined) throw new CommandError('There is no site yet.');
  console.log(`  ${site.title} (${site.slug})`);

  step('It writes an article: create_entry. That is one change, and one snapshot.');
  const slug = `demo-${Date.now().toString(36)}`;
  const created = await call('create_entry', {
    site: site.id,
    type: 'article',
    slug,
    fields: { title: 'A seal in the harbour', summary: 'It seems to like the ferry.' },
    body: 'A young seal has been seen in the harbour.\n\nIt follows the ferry, and sleeps on the slipway.\n',
  });
  const entry = (created.data as { id: string }).id;
  console.log(`  ${entry}, rev ${created.rev}, snapshot ${created.snapshot}`);

  step('It corrects one sentence: edit_body, with the rev it read.');
  const edited = await call('edit_body', {
    site: site.id,
    entry,
    rev: created.rev,
    edits: [{ find: 'sleeps on the slipway', replace: 'sleeps on the slipway at noon' }],
  });
  console.log(`  rev ${edited.rev}, snapshot ${edited.snapshot}`);

  step('It makes a private preview: preview_page.');
  const preview = await call('preview_page', { site: site.id, node: entry });
  console.log(`  ${(preview.data as { url: string }).url}`);

  step('It asks to publish. Mode "edits" makes that wait for a person, who sees the diff.');
  const what = { nodes: [entry] };
  const plan = await call('get_publish_plan', { site: site.id, what });
  const published = await call('publish', {
    site: site.id,
    what,
    expectDraft: (plan.data as { expectDraft: string }).expectDraft,
  });
  console.log(`  published, snapshot ${published.snapshot}\n  ${url}/sites/${site.slug}/articles/${slug}`);

  step('It is taken back: rollback of the live site to the snapshot before.');
  const before = edited.snapshot;
  const rolledBack = await call('rollback', {
    site: site.id,
    snapshot: before,
    track: 'live',
    expectLive: published.snapshot,
    reason: 'the demo is over',
  });
  console.log(`  rolled back, snapshot ${rolledBack.snapshot}`);

  step('All of it stands in the record: list_activity.');
  const activity = (await call('list_activity', { site: site.id, limit: 10 })).data.activity as {
    tool?: string;
    decision?: string;
    outcome?: string;
    snapshot?: string;
  }[];
  for (const line of activity)
    console.log(`  ${[line.tool, line.decision, line.outcome, line.snapshot].filter(Boolean).join('  ')}`);
  console.log(`\nVerify the record with: ${typed('audit verify')}`);
}

let steps = 0;
function step(text: string): void {
  steps += 1;
  console.log(`\n${steps}. ${text}`);
}

function indent(text: string, prefix: string): string {
  return text
    .split('\n')
    .map((line) => prefix + line)
    .join('\n');
}

async function confirm(question: string): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    return /^y(es)?$/i.test((await terminal.question(question)).trim());
  } finally {
    terminal.close();
  }
}
