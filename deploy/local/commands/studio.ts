import { openHouse, withHouse } from '../house.ts';
import { makeDataFolder, removeServerFile, runningServer, writeServerFile } from '../project.ts';
import { untilStopped } from '../until-stopped.ts';

/** Says where Studio runs already, or runs it here. `auth: false` acts as the owner, and listens on this machine only. */
export async function studio({ auth, port, data }: { auth: boolean; port: number; data: string }): Promise<void> {
  const folder = makeDataFolder(data);
  const running = runningServer(folder);
  if (auth && running !== undefined) {
    const link = await withHouse(folder, (house) => house.firstOwnerLink());
    return console.log(link === undefined ? running.studioUrl : at(running.url, link));
  }

  const house = await openHouse(folder, { listen: { port }, noAuth: !auth, onProgress: (line) => console.log(line) });
  try {
    const { url } = house;
    await house.seedExampleSite();
    const link = auth ? await house.firstOwnerLink() : undefined;
    if (auth) writeServerFile(folder, { pid: process.pid, url, mcpUrl: `${url}/mcp`, studioUrl: `${url}/studio` });
    console.log(`Studio: ${link ?? `${url}/studio`}`);
    if (!auth)
      console.log('Everybody on this machine acts as the owner here. Never make this port reachable from elsewhere.');
    await untilStopped();
  } finally {
    removeServerFile(folder);
    await house.stop();
  }
}

/** A link as the instance that runs serves it. */
function at(url: string, link: string): string {
  const { pathname, search, hash } = new URL(link);
  return `${url}${pathname}${search}${hash}`;
}
