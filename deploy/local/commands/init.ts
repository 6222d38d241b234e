import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { localSetup, projectMcpServer } from '../client-setup.ts';
import { CommandError } from '../command-error.ts';
import { openHouse } from '../house.ts';
import { typed } from '../own-command.ts';
import { makeDataFolder } from '../project.ts';

/** Prepares a project folder. Running it again changes nothing that is there. */
export async function init({ dir }: { dir: string }): Promise<void> {
  const folder = resolve(dir);
  mkdirSync(folder, { recursive: true });
  const mcpFile = addToMcpFile(join(folder, '.mcp.json'));
  const data = makeDataFolder(join(folder, '.cloudhal'));
  const house = await openHouse(data, { onProgress: (line) => process.stderr.write(`${line}\n`) });
  try {
    await house.seedExampleSite();
  } finally {
    await house.stop();
  }

  console.log(`Ready: ${folder}`);
  console.log('  .cloudhal/   the store (not for git; it ignores itself)');
  console.log(`  .mcp.json    ${mcpFile}`);
  console.log(`\n${localSetup()}`);
  console.log(`\nTo watch and approve in a browser: ${typed('start')}`);
}

function addToMcpFile(file: string): string {
  let content: { mcpServers?: Record<string, unknown> } = {};
  if (existsSync(file)) {
    try {
      content = JSON.parse(readFileSync(file, 'utf8'));
    } catch {
      throw new CommandError(`${file} is not valid JSON. Correct it, then run init again.`);
    }
    if (content.mcpServers?.cloudhal !== undefined) return 'names cloudhal already';
  }
  content.mcpServers = { ...content.mcpServers, cloudhal: projectMcpServer };
  writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
  return 'tells MCP clients how to start the server';
}
