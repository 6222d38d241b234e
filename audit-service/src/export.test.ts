import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { createLog } from '@cloudhal/shared/log';
import type { TestDatabase } from '@cloudhal/shared/testing/test-database';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { appendEvents } from './append.ts';
import { startCheckpointer } from './checkpointer.ts';
import { csvLine } from './csv.ts';
import { type ExportOptions, exportRecord } from './export.ts';
import { formatReport } from './report.ts';
import { checkpointKey, recordDatabase, sampleEvent } from './testing.ts';
import { verifyExport } from './verify-export.ts';

const { key, publicKeys } = checkpointKey();
const nasty = '\u001b]0;x\u0007\r\nok    site_a\u202e=cmd|"x"\u2028,"event":{}';

let db: TestDatabase;
let folder: string;
let lines: string[];
beforeAll(async () => {
  db = await recordDatabase();
  folder = await mkdtemp(join(tmpdir(), 'cloudhal-export-'));
  await appendEvents(db.database, ...Array.from({ length: 5 }, () => sampleEvent()));
  await appendEvents(db.database, sampleEvent({ site: 'site_b', client: { name: nasty }, note: '=1+1' }));
  const log = createLog('audit-service', { level: 'silent' });
  await startCheckpointer({ database: db.database, log, key, folder })();
  await appendEvents(db.database, ...Array.from({ length: 3 }, () => sampleEvent()));
  lines = await exported();
});
afterAll(async () => {
  await db.drop();
  await rm(folder, { recursive: true });
});

async function exported(options: ExportOptions = {}): Promise<string[]> {
  const out = new PassThrough();
  const all = text(out);
  await exportRecord(db.database, options, out);
  out.end();
  return (await all).split('\n');
}

describe('an export', () => {
  test('verifies offline with its checkpoints', async () => {
    const report = await verifyExport(lines, { publicKeys });
    expect(report.ok).toBe(true);
    expect(report.chains).toMatchObject([
      { chain: '_deployment', events: 1 },
      { chain: 'site_a', events: 8, checkpoints: 1 },
      { chain: 'site_b', events: 1, checkpoints: 1 },
    ]);
  });

  test('is itself in the record', () => {
    expect(lines.filter((line) => line.includes('"type":"audit.export"'))).toHaveLength(1);
  });

  const isEvent = (line: string) => line.startsWith('{"chain":"site_a"') && line.includes('"event":');
  const site = (all: string[]) => all.filter(isEvent);
  const changes: [what: string, change: (all: string[]) => string[], problem: object][] = [
    [
      'a changed line',
      (all) => all.map((l) => (isEvent(l) && l.includes('"seq":3') ? l.replace('get_entry', 'x') : l)),
      { seq: 3, kind: 'body_changed' },
    ],
    ['a missing line', (all) => all.filter((line) => line !== site(all)[3]), { seq: 4, kind: 'gap' }],
    ['a missing end', (all) => all.filter((line) => line !== site(all)[7]), { seq: 8, kind: 'head_mismatch' }],
    [
      'two lines that changed places',
      (all) => all.map((l) => (l === site(all)[3] ? site(all)[4]! : l === site(all)[4] ? site(all)[3]! : l)),
      { seq: 4, kind: 'reordered' },
    ],
    [
      'a repeated line',
      (all) => all.flatMap((line) => (line === site(all)[2] ? [line, line] : [line])),
      { seq: 3, kind: 'fork' },
    ],
  ];
  test.each(changes)('shows %s', async (_, change, problem) => {
    const report = await verifyExport(change(lines), { publicKeys });
    expect(report.chains.find((chain) => chain.chain === 'site_a')?.problem).toMatchObject(problem);
    expect(report.chains.find((chain) => chain.chain === 'site_b')?.problem).toBeUndefined();
  });

  test("whose end and head were cut is caught by checkpoint files of one's own", async () => {
    const cut = lines.filter((line) => !isEvent(line) && !line.includes('"checkpoint"'));
    const header = JSON.parse(cut[0]!);
    delete header.heads.site_a;
    cut[0] = JSON.stringify(header);
    expect((await verifyExport(cut, { publicKeys })).ok).toBe(true);
    expect((await verifyExport(cut, { checkpoints: folder, publicKeys })).chains[1]).toMatchObject({
      chain: 'site_a',
      problem: { seq: 1, kind: 'truncated_after_checkpoint' },
    });
    const events = site(lines).slice(0, 2);
    header.heads.site_a = { seq: 2, hash: JSON.parse(events[1]!).hash };
    const report = await verifyExport([JSON.stringify(header), ...events, ...cut.slice(1)], {
      checkpoints: folder,
      publicKeys,
    });
    expect(report.chains.find((chain) => chain.chain === 'site_a')?.problem).toMatchObject({
      seq: 3,
      kind: 'truncated_after_checkpoint',
    });
  });

  test('of a part says that it is one', async () => {
    const report = await verifyExport(await exported({ site: 'site_a', from: 3, to: 6 }), { publicKeys });
    expect(report).toMatchObject({ ok: true, chains: [{ chain: 'site_a', events: 4, partial: true }] });
    expect(formatReport(report)).toContain('only a part');
  });

  test('that is something else is refused', async () => {
    await expect(verifyExport(['{"a":1}'])).rejects.toThrow('not an export');
    await expect(verifyExport([])).rejects.toThrow('not an export');
  });
});

describe('text that others wrote', () => {
  test('is no formula and no new line in a CSV', async () => {
    const csv = await exported({ format: 'csv', site: 'site_b' });
    expect(csv[0]).toMatch(/^chain,seq,ts,type,actor/);
    expect(csv).toHaveLength(4);
    const line = csv[1]!;
    expect(line).toContain(",'=1+1,");
    expect(line).toContain('""x""');
    expect(line).not.toMatch(/[\u0000-\u001f\u202e\u2028]/);
  });

  test.each(['x;=HYPERLINK("https://x.example")', 'x; "=1+1"', 'x; @SUM(A1)', '=1'])(
    'is no formula where cells are parted at a semicolon: %s',
    (note) => {
      const cells = csvLine('site_a', 1, { note }).split(/[;,]/);
      expect(cells.filter((cell) => /^[\s"]*[=+\-@]/.test(cell))).toEqual([]);
    },
  );

  test('cannot forge a line of a report', () => {
    const problem = { seq: 1, kind: 'gap', detail: nasty } as const;
    const shown = formatReport({ ok: false, chains: [{ chain: nasty, events: 0, head: 0, checkpoints: 0, problem }] });
    expect(shown.split('\n')).toHaveLength(3);
    expect(shown).toContain('\\u{1b}]0;x\\u{7}\\u{d}\\u{a}ok');
    expect(shown).toContain('\\u{202e}');
    expect(shown.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}]/u);
  });
});
