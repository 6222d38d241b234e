import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const revisions = ['2026-07-28', '2025-11-25'] as const;
export type Revision = (typeof revisions)[number];

export type Outcome = { revision: Revision; passed: string[]; failed: string[] };

/** The suite, pinned; it needs Node 22, which npx brings along. */
const command = ['-y', '-p', 'node@22', '-p', '@modelcontextprotocol/conformance@0.2.0-alpha.12', 'conformance'];

/** Runs all that a revision of the protocol requires of a server. What the suite says goes to stderr as it comes. */
export async function runSuite(url: string, revision: Revision): Promise<Outcome> {
  const folder = mkdtempSync(join(tmpdir(), 'cloudhal-conformance-'));
  try {
    const args = [...command, 'server', '--url', url, '--requirements', revision, '--output-dir', folder];
    const suite = spawn('npx', args, { stdio: ['ignore', 'pipe', 'inherit'], shell: process.platform === 'win32' });
    let said = '';
    suite.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      process.stderr.write(chunk);
    });
    const exitCode = await new Promise<number>((resolve, reject) => {
      suite.once('error', reject);
      suite.once('close', (code) => resolve(code ?? 1));
    });
    return { revision, ...readSummary(said, exitCode) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The required scenarios by how they went; the suite's exit code has the last word. */
export function readSummary(said: string, exitCode: number): { passed: string[]; failed: string[] } {
  const [, summary = ''] = said.split('=== SUMMARY ===');
  const [scenarios = '', notScored = ''] = summary.split('Not scored for');
  const unscored = new Set([...notScored.matchAll(/^\s+[✓✗] (\S+) \(/gm)].map(([, name]) => name));
  const required = [...scenarios.matchAll(/^([✓✗]) ([^:\s]+): /gm)].filter(([, , name]) => !unscored.has(name));
  const names = (mark: string) => required.filter(([, how]) => how === mark).map(([, , name = '']) => name);
  const [passed, failed] = [names('✓'), names('✗')];
  if (failed.length === 0 && (exitCode !== 0 || passed.length === 0)) failed.push('the suite itself');
  return { passed, failed };
}
