import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadSkill } from './load-skill.ts';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'cloudhal-skill-'));
});
afterAll(() => rm(root, { recursive: true }));

let count = 0;
/** Writes a skill of a fresh name; `NAME` in the files stands for it. */
async function write(files: Record<string, string | Buffer>): Promise<string> {
  const name = `skill-${++count}`;
  for (const [path, content] of Object.entries(files)) {
    const file = join(root, name, path);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, typeof content === 'string' ? content.replaceAll('NAME', name) : content);
  }
  return join(root, name);
}

function head(lines: string): string {
  return `---\nname: NAME\ndescription: What it is for.\n${lines}---\n# Steps\n`;
}

describe('a skill', () => {
  test('is read with its title, scopes and references', async () => {
    const folder = await write({
      'SKILL.md': head('metadata:\n  cloudhal.title: Tidy up\n  cloudhal.scopes: content:write, content:read\n'),
      'references/style.md': 'Short sentences.\n',
      '.DS_Store': Buffer.from([0, 1, 2]),
    });
    const { manifest, files } = await loadSkill(folder, 'folder');
    expect(manifest).toMatchObject({
      title: 'Tidy up',
      description: 'What it is for.',
      scopes: ['content:read', 'content:write'],
      source: 'folder',
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    expect(manifest.files.map((file) => file.path)).toEqual(['SKILL.md', 'references/style.md']);
    expect(files.get('references/style.md')).toEqual({ text: 'Short sentences.\n', mimeType: 'text/markdown' });
  });

  test('may give its scopes as a list, and its description over several lines', async () => {
    const folder = await write({
      'SKILL.md':
        '---\r\nname: NAME\r\ndescription: >\r\n  One\r\n  two.\r\nmetadata:\r\n  cloudhal.scopes: [publish]\r\n---\r\n',
    });
    const { manifest } = await loadSkill(folder, 'folder');
    expect(manifest).toMatchObject({ description: 'One two.', scopes: ['publish'] });
    expect(manifest.title).toMatch(/^Skill \d+$/);
  });

  test('that declares no scopes has none', async () => {
    expect((await loadSkill(await write({ 'SKILL.md': head('') }), 'folder')).manifest.scopes).toEqual([]);
  });

  test('gets another digest when only a reference changes', async () => {
    const folder = await write({ 'SKILL.md': head(''), 'references/a.md': 'one' });
    const before = (await loadSkill(folder, 'folder')).manifest.digest;
    expect((await loadSkill(folder, 'folder')).manifest.digest).toBe(before);
    await writeFile(join(folder, 'references/a.md'), 'two');
    expect((await loadSkill(folder, 'folder')).manifest.digest).not.toBe(before);
  });

  test('serves exactly the bytes that its manifest lists', async () => {
    const folder = await write({ 'SKILL.md': `\ufeff${head('')}` });
    const { manifest, files } = await loadSkill(folder, 'folder');
    expect(Buffer.from(files.get('SKILL.md')!.text).length).toBe(manifest.files[0]!.bytes);
  });
});

describe('a skill is refused', () => {
  const refused: [why: string, markdown: string, says: RegExp][] = [
    ['without front matter', '# Steps\n', /front matter/],
    ['with front matter that never ends', '---\nname: NAME\n', /front matter/],
    ['with malformed YAML', '---\nname: [NAME\ndescription: "x\n---\n', /not valid YAML/],
    ['with a list for a head', '---\n- name\n---\n', /mapping/],
    ['with the same key twice', head('name: other\n'), /not valid YAML/],
    ['with a name that differs from its folder', '---\nname: other\ndescription: x\n---\n', /differs/],
    ['with a name that climbs', '---\nname: ../NAME\ndescription: x\n---\n', /name/],
    ['named __proto__', '---\nname: __proto__\ndescription: x\n---\n', /name/],
    ['without a description', '---\nname: NAME\n---\n', /description/],
    ['with an endless description', `---\nname: NAME\ndescription: ${'x'.repeat(1025)}\n---\n`, /description/],
    ['whose description hides text', '---\nname: NAME\ndescription: "a\\u202eb"\n---\n', /description/],
    [
      'with an unknown scope',
      head('metadata:\n  cloudhal.scopes: content:read root:all\n'),
      /unknown scope "root:all"/,
    ],
    ['that asks for every scope', head('metadata:\n  cloudhal.scopes: "*"\n'), /unknown scope/],
    ['with scopes that are a mapping', head('metadata:\n  cloudhal.scopes: {publish: true}\n'), /cloudhal\.scopes/],
    ['with a misspelt key', head('metadata:\n  cloudhal.scope: publish\n'), /unknown metadata key "cloudhal.scope"/],
    ['with metadata in __proto__', head('metadata:\n  __proto__: {}\n  cloudhal.scope: x\n'), /unknown metadata key/],
  ];
  test.each(refused)('%s', async (_, markdown, says) => {
    await expect(loadSkill(await write({ 'SKILL.md': markdown }), 'folder')).rejects.toThrow(says);
  });

  test('when its head expands without end', async () => {
    const lines = ['a: &a [x,x,x,x,x,x,x,x,x]'];
    for (let i = 1; i < 9; i++) lines.push(`b${i}: &b${i} [${Array(9).fill(i === 1 ? '*a' : `*b${i - 1}`)}]`);
    await expect(loadSkill(await write({ 'SKILL.md': head(`${lines.join('\n')}\n`) }), 'folder')).rejects.toThrow(
      /aliases/,
    );
  });

  test('when a key called __proto__ would bring scopes', async () => {
    const folder = await write({ 'SKILL.md': head('metadata:\n  __proto__: {cloudhal.scopes: publish}\n') });
    expect((await loadSkill(folder, 'folder')).manifest.scopes).toEqual([]);
    expect(({} as Record<string, unknown>)['cloudhal.scopes']).toBeUndefined();
  });

  test('with a link to a secret', async () => {
    const folder = await write({ 'SKILL.md': head(''), 'references/a.md': 'x' });
    await writeFile(join(root, 'secret.txt'), 'secret');
    await symlink('../../secret.txt', join(folder, 'references', 'notes.md'));
    await expect(loadSkill(folder, 'folder')).rejects.toThrow(/notes\.md is not a regular file/);
  });

  test('with a folder that is a link', async () => {
    const folder = await write({ 'SKILL.md': head('') });
    await symlink('/etc', join(folder, 'references'));
    await expect(loadSkill(folder, 'folder')).rejects.toThrow(/links are not followed/);
  });

  test('with a huge file', async () => {
    const folder = await write({ 'SKILL.md': head(''), 'references/a.md': Buffer.alloc(256 * 1024 + 1, 97) });
    await expect(loadSkill(folder, 'folder')).rejects.toThrow(/references\/a\.md is larger/);
  });

  test('with a file that is not text', async () => {
    for (const bytes of [Buffer.from([137, 80, 78, 71, 0]), Buffer.from([0xc3, 0x28])]) {
      const folder = await write({ 'SKILL.md': head(''), 'references/a.md': bytes });
      await expect(loadSkill(folder, 'folder')).rejects.toThrow(/not UTF-8 text/);
    }
  });

  test('with more files than a playbook needs', async () => {
    const many = Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`references/${i}.md`, 'x']));
    await expect(loadSkill(await write({ 'SKILL.md': head(''), ...many }), 'folder')).rejects.toThrow(/more than 100/);
  });
});
