import { chmod, chown, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';

export type Chromium = {
  browser: Browser;
  /** The group that all of its processes are in. */
  group: number;
  /** Ends all of its processes at once and takes its profile away. */
  kill(): Promise<void>;
};

const nobody = 65_534;
const startMs = 15_000;

// No name and no address leads anywhere: what a page shows is handed to it (open-page.ts), and this holds should that fail.
const switches = [
  '--host-resolver-rules=MAP * ~NOTFOUND',
  '--proxy-server=127.0.0.1:9',
  '--proxy-bypass-list=<-loopback>',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--dns-prefetch-disable',
  '--disable-gpu',
  '--disable-quic',
  '--disable-remote-fonts',
  '--disable-features=WebTransport,DnsOverHttps',
  '--disk-cache-size=1',
  '--media-cache-size=1',
  '--js-flags=--max-old-space-size=256',
];

/**
 * Starts Chromium with a profile of its own, spoken to through a pipe. Started as root it runs as nobody: its sandbox asks for
 * that, and what breaks out of it then owns nothing.
 */
export async function launchChromium(executable: string, sandbox: boolean): Promise<Chromium> {
  // It is large, and most workers never render.
  const { chromium } = await import('playwright-core');
  const home = await mkdtemp(join(tmpdir(), 'cloudhal-browser-'));
  const clear = () => rm(home, { recursive: true, force: true, maxRetries: 3 });
  try {
    const server = await chromium.launchServer({
      executablePath: process.getuid?.() === 0 ? await asNobody(executable, home) : executable,
      args: switches,
      chromiumSandbox: sandbox,
      host: '127.0.0.1',
      timeout: startMs,
      // Nothing of the worker's environment: it holds where the secrets are.
      env: { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: home, LANG: 'C.UTF-8' },
      handleSIGHUP: false,
      handleSIGINT: false,
      handleSIGTERM: false,
    });
    const kill = async () => {
      await server.kill().catch(() => undefined);
      await clear();
    };
    try {
      const browser = await chromium.connect(server.wsEndpoint(), { timeout: startMs });
      return { browser, group: server.process().pid!, kill };
    } catch (error) {
      await kill();
      throw error;
    }
  } catch (error) {
    await clear();
    throw error;
  }
}

/** A program that gives up root, with a profile that nobody may write. */
async function asNobody(executable: string, home: string): Promise<string> {
  const profile = join(home, 'profile');
  await chmod(home, 0o711);
  await mkdir(profile, { mode: 0o700 });
  await chown(profile, nobody, nobody);
  const program = join(home, 'chromium');
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const drop = `setpriv --reuid=${nobody} --regid=${nobody} --clear-groups --no-new-privs`;
  const script = `#!/bin/sh\nexport HOME=${quoted(profile)} TMPDIR=${quoted(profile)}\nexec ${drop} -- ${quoted(executable)} "$@" --user-data-dir=${quoted(profile)}\n`;
  await writeFile(program, script, { mode: 0o755 });
  return program;
}
