import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { changeBody, checkpointKey, tamper, testRecord } from './testing.ts';
import { verifyRecord } from './verify.ts';

const record = await testRecord();

describe('a checkpoint counts only', () => {
  test('with the signature of a known key', async () => {
    await record.checkpoint();
    const other = checkpointKey();
    expect(await record.problemOf({ checkpoints: record.folder, publicKeys: other.publicKeys })).toMatchObject({
      seq: 1,
      kind: 'checkpoint_sig',
    });
    const file = join(record.folder, 'site_a.checkpoints');
    await writeFile(file, (await readFile(file, 'utf8')).replace(/^6$/m, '5'));
    expect(await record.problemOf(record.signed())).toMatchObject({ seq: 1, kind: 'checkpoint_sig' });
  });

  test('in its place: one that was taken out of the file is missed', async () => {
    for (const n of [1, 1, 1]) {
      await record.append(n);
      await record.checkpoint();
    }
    const file = join(record.folder, 'site_a.checkpoints');
    const notes = (await readFile(file, 'utf8')).split(/\n(?=cloudhal\.audit\/)/);
    await writeFile(file, [notes[1], notes[3]].join('\n'));
    expect(await record.problemOf(record.signed())).toMatchObject({ seq: 8, kind: 'checkpoint_sig' });
  });

  test('for its own chain', async () => {
    await record.append(6, { site: 'site_b' });
    await record.checkpoint();
    await writeFile(
      join(record.folder, 'site_a.checkpoints'),
      await readFile(join(record.folder, 'site_b.checkpoints')),
    );
    expect(await record.problemOf(record.signed())).toMatchObject({ kind: 'checkpoint_sig' });
  });

  test('also after its key was exchanged, as long as the old public key is kept', async () => {
    const next = checkpointKey();
    await record.checkpoint();
    await record.append(2);
    await record.checkpoint(next.key);
    const both = [...record.signed().publicKeys, ...next.publicKeys];
    expect(await record.problemOf({ checkpoints: record.folder, publicKeys: both })).toBeUndefined();
    expect(await record.problemOf({ checkpoints: record.folder, publicKeys: next.publicKeys })).toMatchObject({
      kind: 'checkpoint_sig',
    });
  });

  test('and none is signed over a chain that does not add up', async () => {
    await record.checkpoint();
    await record.append(3);
    await tamper(record.database, (tx) => tx.query(changeBody(8)));
    await record.checkpoint();
    const [row] = await record.database.query('SELECT max(seq) AS seq FROM audit.checkpoint');
    expect(row?.seq).toBe(6);
  });
});

describe('the checkpoint files', () => {
  test('are in the form that other tools read', async () => {
    await record.checkpoint();
    const note = (await readFile(join(record.folder, 'site_a.checkpoints'), 'utf8')).trimStart();
    expect(note).toMatch(
      /^cloudhal\.audit\/site_a\n6\n[A-Za-z0-9+/]{43}=\n(?:[a-z]+ \S+\n)+\n— cloudhal\.audit [A-Za-z0-9+/=]{92}\n$/,
    );
  });

  test('are taken up again after a crash cut the last line short', async () => {
    await record.checkpoint();
    const file = join(record.folder, 'site_a.checkpoints');
    await appendFile(file, '\ncloudhal.audit/site_a\n7\nAAAA');
    await record.append(1);
    await record.checkpoint();
    expect(await readFile(file, 'utf8')).not.toContain('AAAA\n');
    const report = await verifyRecord(record.database, record.signed());
    expect(report).toMatchObject({ ok: true, chains: [{ checkpoints: 2 }] });
  });

  test('of a second process get what the first one signed', async () => {
    await record.checkpoint();
    const first = record.folder;
    record.folder = join(first, 'second');
    await record.append(1);
    await record.checkpoint();
    expect(await record.problemOf(record.signed())).toBeUndefined();
    expect((await readFile(join(record.folder, 'site_a.checkpoints'), 'utf8')).match(/^—/gm)).toHaveLength(2);
    record.folder = first;
    await record.checkpoint();
    expect((await readFile(join(first, 'site_a.checkpoints'), 'utf8')).match(/^—/gm)).toHaveLength(2);
    expect((await readdir(first)).filter((name) => name.endsWith('.checkpoints'))).toEqual(['site_a.checkpoints']);
  });
});
