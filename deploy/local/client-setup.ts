import { ownCommand, quoted } from './own-command.ts';

/** `.mcp.json` for clients that read the project's file. */
export const projectMcpServer = { ...ownCommand, args: [...ownCommand.args, 'mcp', '--mode', 'edits'] };

/** The lines to paste into MCP clients. The gateway's docs show the same for each client. */
export function localSetup(): string {
  const { command, args } = projectMcpServer;
  const words = args.map(quoted).join(' ');
  return [
    'Claude Code, from this folder:',
    `  claude mcp add --scope project cloudhal -- ${command} ${words}`,
    'Any client that starts a command:',
    `  command: ${command}   arguments: ${words}   working directory: this folder`,
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
