/** The lines to paste into MCP clients. The gateway's docs show the same for each client. */
export function localSetup(): string {
  return [
    'Claude Code, from this folder:',
    '  claude mcp add --scope project cloudhal -- npx cloudhal mcp --mode edits',
    'Any client that starts a command:',
    '  command: npx   arguments: cloudhal mcp --mode edits   working directory: this folder',
  ].join('\n');
}

export function remoteSetup(mcpUrl: string, key: string): string {
  return [
    'Claude Code:',
    `  claude mcp add --transport http cloudhal ${mcpUrl} --header "Authorization: Bearer ${key}"`,
    'Any client (streamable HTTP):',
    `  URL ${mcpUrl}   header Authorization: Bearer ${key}`,
  ].join('\n');
}

/** `.mcp.json` for clients that read the project's file. */
export const projectMcpServer = { command: 'npx', args: ['cloudhal', 'mcp', '--mode', 'edits'] } as const;
