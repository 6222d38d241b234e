import type { Mode } from '@cloudhal/shared/policy';
import { openHouse } from '../house.ts';
import { findDataFolder, runningServer } from '../project.ts';
import { parseScopes, parseToolsets } from '../scopes.ts';
import { untilStopped } from '../until-stopped.ts';

export type McpOptions = {
  mode: Mode;
  scopes: string;
  skills?: string;
  toolsets?: string;
  previewUrl?: string;
  data: string;
};

/** Serves one MCP client over stdio. stdout carries the protocol and nothing else. */
export async function mcp(options: McpOptions): Promise<void> {
  const folder = findDataFolder(options.data);
  const say = (line: string) => process.stderr.write(`${line}\n`);
  const previewUrl = options.previewUrl ?? runningServer(folder)?.url;
  const house = await openHouse(folder, {
    onProgress: say,
    ...(options.skills === undefined ? {} : { skills: options.skills }),
    // Previews need a web server: a running one, or a listener of our own on a free port.
    ...(previewUrl === undefined ? { listen: { port: 0 } } : { previewUrl }),
  });
  try {
    await house.seedExampleSite();
    let onClose = () => {};
    const closed = new Promise<void>((resolve) => {
      onClose = resolve;
    });
    const stopServing = await house.serveStdio({
      mode: options.mode,
      scopes: parseScopes(options.scopes),
      onClose,
      ...(options.toolsets === undefined ? {} : { toolsets: parseToolsets(options.toolsets) }),
    });
    await untilStopped(closed);
    await stopServing();
  } finally {
    await house.stop();
  }
}
