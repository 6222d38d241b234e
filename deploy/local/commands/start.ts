import { localSetup, remoteSetup } from '../client-setup.ts';
import { type House, openHouse } from '../house.ts';
import { typed } from '../own-command.ts';
import { makeDataFolder, removeServerFile, runningServer, writeServerFile } from '../project.ts';
import { untilStopped } from '../until-stopped.ts';

export type StartOptions = { port: number; data: string };

/** Runs the whole house in this process and says where to go. */
export async function start({ port, data }: StartOptions): Promise<void> {
  const folder = makeDataFolder(data);
  const running = runningServer(folder);
  if (running !== undefined)
    console.log(`Already running at ${running.url} (process ${running.pid}); this one shares its store.`);

  const house = await openHouse(folder, { listen: { port }, onProgress: (line) => console.log(line) });
  try {
    await announce(house, folder, { port, isFirst: running === undefined });
    await untilStopped();
  } finally {
    removeServerFile(folder);
    await house.stop();
  }
}

/** Says where everything is, and what to paste. */
async function announce(
  house: House,
  folder: string,
  { port, isFirst }: { port: number; isFirst: boolean },
): Promise<void> {
  const { url } = house;
  if (new URL(url).port !== String(port) && port !== 0)
    console.log(`Port ${port} is taken; using ${new URL(url).port}.`);
  const mcpUrl = `${url}/mcp`;
  const studioUrl = `${url}/studio`;
  writeServerFile(folder, { pid: process.pid, url, mcpUrl, studioUrl });

  await house.seedExampleSite();
  console.log(`\nCloudhal runs at ${url}`);
  for (const site of await house.sites()) console.log(`  site    ${url}/sites/${site.slug}/   ${site.title}`);
  console.log(`  MCP     ${mcpUrl}`);
  // A new one would end the one that the first `start` printed.
  const owner = isFirst ? await house.firstOwnerLink() : undefined;
  console.log(
    owner === undefined ? `  Studio  ${studioUrl}` : `  Studio  ${owner}   (one-time link: makes you the owner)`,
  );

  if ((await house.listAgentKeys()).length === 0) {
    const { secret } = await house.createAgentKey({ name: 'first agent', scopes: '*', mode: 'edits' });
    console.log(`\nAn agent key, shown this once:\n  ${secret}\n\n${remoteSetup(mcpUrl, secret)}`);
  } else {
    console.log(`\nMake another agent key with: ${typed('keys create <name>')}`);
  }
  console.log(`\n${localSetup()}\n\nPlay the whole story, in another terminal: ${typed('demo')}\nStop with Ctrl-C.`);
}
