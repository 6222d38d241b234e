import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Page } from 'playwright-core';

/** All that a client is told: where the gateway is, and what to send along. */
export type Connection = { url: string; headers: Record<string, string> };

/** What the page of a new secret shows to paste into a client, field by field. */
export async function shownSetup(page: Page, client: string, field: string): Promise<string> {
  await page.getByRole('button', { name: /Your client/ }).click();
  await page.getByRole('option', { name: client, exact: true }).click();
  return page.getByRole('textbox', { name: field, exact: true }).inputValue();
}

/** As Cursor reads its file. */
export function inCursor(file: string): Connection {
  const { mcpServers } = JSON.parse(file) as { mcpServers: { cloudhal: Connection } };
  return mcpServers.cloudhal;
}

/** As a shell reads the line for Claude Code. */
export function inClaudeCode(line: string): Connection {
  const [, url = '', header = ''] =
    /^claude mcp add --transport http cloudhal (\S+) \\\n {2}--header "([^"]+)"$/.exec(line) ?? [];
  return { url, headers: headersOf(header) };
}

/** As any client takes an address and a header. */
export function inAnyClient(url: string, header: string): Connection {
  return { url, headers: headersOf(header) };
}

function headersOf(line: string): Record<string, string> {
  const [name = '', value = ''] = line.split(/: (.*)/s);
  return { [name]: value };
}

/** A client that knows nothing but what was pasted into it. */
export async function paste({ url, headers }: Connection): Promise<Client> {
  const client = new Client({ name: 'pasted', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
  return client;
}
