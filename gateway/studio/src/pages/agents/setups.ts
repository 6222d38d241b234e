import { setup as texts } from '../../texts/agents.ts';

/** One thing to copy, and what to do with it. */
type Step = { text: string; label: string; code: string; note?: string };
export type Setup = { id: string; name: string; steps: Step[]; note?: string };

/** How each client is connected, with the address and the key filled in: what the documentation shows, ready to paste. Pure. */
export function setupsFor(url: string, key: string): Setup[] {
  const bearer = `Bearer ${key}`;
  const { steps: words, holdsKey } = texts;
  const run = (code: string): Step => ({ text: words.terminal, label: words.terminal, code });
  const file = (path: string, content: object): Step => ({
    text: words.file(path),
    label: path,
    code: JSON.stringify(content, null, 2),
    note: holdsKey,
  });
  const isLocal = /^https?:\/\/(?:localhost|127\.|\[::1\])/.test(url);
  return [
    {
      id: 'claude-code',
      name: 'Claude Code',
      steps: [run(`claude mcp add --transport http cloudhal ${url} \\\n  --header "Authorization: ${bearer}"`)],
    },
    {
      id: 'codex',
      name: 'Codex',
      steps: [
        run(
          `export CLOUDHAL_API_KEY="${key}"\ncodex mcp add cloudhal --url ${url} --bearer-token-env-var CLOUDHAL_API_KEY`,
        ),
      ],
    },
    {
      id: 'cursor',
      name: 'Cursor',
      steps: [file('.cursor/mcp.json', { mcpServers: { cloudhal: { url, headers: { Authorization: bearer } } } })],
    },
    {
      id: 'vs-code',
      name: 'VS Code',
      steps: [
        {
          text: words.file('.vscode/mcp.json'),
          label: '.vscode/mcp.json',
          code: JSON.stringify(
            {
              inputs: [{ type: 'promptString', id: 'cloudhal-key', description: 'Cloudhal agent key', password: true }],
              servers: {
                cloudhal: { type: 'http', url, headers: { Authorization: `Bearer $\{input:cloudhal-key}` } },
              },
            },
            null,
            2,
          ),
        },
        { text: words.askedKey, label: texts.secret, code: key },
      ],
    },
    {
      id: 'claude',
      name: 'Claude Desktop and claude.ai',
      steps: [
        { text: words.connectors, label: texts.url, code: url },
        { text: texts.header, label: texts.header, code: `Authorization: ${bearer}` },
      ],
      ...(isLocal && { note: texts.local }),
    },
    {
      id: 'windsurf',
      name: 'Windsurf',
      steps: [
        file('mcp_config.json', { mcpServers: { cloudhal: { serverUrl: url, headers: { Authorization: bearer } } } }),
      ],
    },
    {
      id: 'zed',
      name: 'Zed',
      steps: [
        file('.zed/settings.json', { context_servers: { cloudhal: { url, headers: { Authorization: bearer } } } }),
      ],
    },
    {
      id: 'gemini',
      name: 'Gemini CLI',
      steps: [run(`gemini mcp add --transport http -H "Authorization: ${bearer}" cloudhal ${url}`)],
    },
    {
      id: 'other',
      name: 'Any other client',
      steps: [
        { text: words.http, label: texts.url, code: url },
        { text: texts.header, label: texts.header, code: `Authorization: ${bearer}` },
      ],
    },
    {
      id: 'mcp-remote',
      name: 'mcp-remote',
      steps: [
        {
          text: words.stdio,
          label: words.stdio,
          code: `npx -y mcp-remote ${url} --header "Authorization:${bearer}"`,
        },
      ],
    },
  ];
}
