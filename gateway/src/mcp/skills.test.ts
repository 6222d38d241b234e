import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connect, eras, type TestClient } from './testing/clients.ts';
import { type House, openHouse } from './testing/house.ts';
import { openRings, type Rings } from './testing/rings.ts';

let rings: Rings;
let house: House;
let client: TestClient;

beforeAll(async () => {
  rings = await openRings(1);
});
afterAll(async () => await rings.close());

describe.each(eras)('a client of %s', (era) => {
  beforeEach(async () => {
    house = await openHouse(rings.rings);
    client = await connect(house.url, era);
  });
  afterEach(async () => {
    await client.close();
    await house.close();
  });

  it('finds the skills and their files as resources, described', async () => {
    const { resources } = await client.sdk.listResources();
    expect(resources).toMatchObject([
      {
        uri: 'skill://write-article/SKILL.md',
        name: 'write-article',
        description: 'How to write an article.',
        mimeType: 'text/markdown',
      },
      { uri: 'skill://write-article/references/style.md', description: expect.stringContaining('write-article') },
    ]);
    const { resourceTemplates } = await client.sdk.listResourceTemplates();
    expect(resourceTemplates).toMatchObject([{ uriTemplate: 'skill://{+path}' }]);
  });

  it('reads a playbook and its references', async () => {
    const main = await client.sdk.readResource({ uri: 'skill://write-article/SKILL.md' });
    const reference = await client.sdk.readResource({ uri: 'skill://write-article/references/style.md' });
    expect(main.contents).toMatchObject([{ mimeType: 'text/markdown', text: expect.stringContaining('# Steps') }]);
    expect(reference.contents).toMatchObject([{ text: '# Style\n' }]);
  });

  it.each([
    'skill://write-article/../../etc/passwd',
    'skill://write-article/%2e%2e/%2e%2e/etc/passwd',
    'skill://write-article//etc/passwd',
    'skill://no-such/SKILL.md',
    'skill://write-article/SKILL.md%00',
    'file:///etc/passwd',
    'test://static-text',
  ])('finds nothing at %s', async (uri) => {
    await expect(client.sdk.readResource({ uri })).rejects.toThrow(/not found/i);
  });

  it('hears that skills are away, and no more, while skills-service is', async () => {
    await house.rooms.stopSkills();
    await expect(client.sdk.listResources()).rejects.toThrow(/skill cannot be checked/);
    expect((await client.call('echo')).isError).toBe(false);
  });
});

describe.each(['2026-07-28', '2025-11-25'] as const)('the skills extension in %s', (era) => {
  beforeEach(async () => {
    house = await openHouse(rings.rings);
    client = await connect(house.url, era);
  });
  afterEach(async () => {
    await client.close();
    await house.close();
  });

  it('lists skills whose files the client can verify', async () => {
    const skills = new SkillsClient(client.sdk);
    const { skills: entries } = await skills.list();
    expect(entries).toMatchObject([
      {
        uri: 'skill://write-article/SKILL.md',
        frontmatter: { name: 'write-article', description: 'How to write an article.' },
        resources: [
          { uri: 'skill://write-article/SKILL.md' },
          { uri: 'skill://write-article/references/style.md', size: 8 },
        ],
      },
    ]);
    expect(await skills.read(entries[0]!)).toMatchObject({ verified: true });
    expect(await skills.read(entries[0]!, 'references/style.md')).toMatchObject({ verified: true, text: '# Style\n' });
    expect((await skills.get('skill://write-article/SKILL.md')).skill).toEqual(entries[0]);
    await expect(skills.get('skill://no-such/SKILL.md')).rejects.toThrow();
  });
});
