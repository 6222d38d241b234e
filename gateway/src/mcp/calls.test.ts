import { events } from '@cloudhal/shared/contracts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eras, openedClients } from './testing/clients.ts';
import { agent, type House, openHouse } from './testing/house.ts';
import { openRings, type Rings } from './testing/rings.ts';
import { catalogue } from './testing/rooms.ts';

let rings: Rings;
let house: House;
const { open, closeAll } = openedClients();

beforeAll(async () => {
  rings = await openRings(1);
});
afterAll(async () => await rings.close());
beforeEach(async () => {
  house = await openHouse(rings.rings);
});
afterEach(async () => {
  await closeAll();
  await house.close();
});

describe.each(eras)('a client of %s', (era) => {
  it('sees the tools that its scopes reach, as the catalogue has them and in its order', async () => {
    house.people.set('reader', agent('reader', { scopes: ['publish', 'content:read'] }));
    const client = await open(house.url, era, { as: 'reader' });
    expect(await client.list()).toEqual(['echo', 'publish', 'fail']);
    const { tools } = await client.sdk.listTools();
    const { name, title, description, inputSchema, annotations } = catalogue.tools[0]!;
    expect(tools[0]).toMatchObject({ name, title, description, inputSchema, annotations });
    expect(tools[0]!.outputSchema).toEqual({ type: 'object' });
  });

  it('may ask for a few toolsets, in the URL, in a header or by its key; the rest stays callable', async () => {
    house.people.set('keyed', { ...agent('keyed'), toolsets: ['media'] });
    const byUrl = await open(`${house.url}?toolsets=release,nonsense`, era);
    const byHeader = await open(house.url, era, { headers: { 'x-cloudhal-toolsets': 'core, release' } });
    const byKey = await open(house.url, era, { as: 'keyed' });
    const all = await open(`${house.url}?toolsets=all`, era, { as: 'keyed' });
    expect(await byUrl.list()).toEqual(['publish']);
    expect(await byHeader.list()).toEqual(['echo', 'publish']);
    expect(await byKey.list()).toEqual(['look', 'fail']);
    expect(await all.list()).toEqual(catalogue.tools.map(({ name }) => name));
    expect(await byUrl.call('echo', { text: 'left out' })).toMatchObject({ isError: false });
  });

  it('gets the same result as structured content and as compact JSON text', async () => {
    const client = await open(house.url, era);
    const answered = await client.call('echo', { text: 'žluťoučký' });
    expect(answered.structured).toEqual({ data: { principal: 'agent:ann', text: 'žluťoučký' } });
    expect(answered.text).toBe(JSON.stringify(answered.structured));
  });

  it('gets pictures as image content beside the text, and none of their bytes in the data', async () => {
    const client = await open(house.url, era);
    const { content, structuredContent } = await client.sdk.callTool({ name: 'look', arguments: {} });
    expect(content).toEqual([
      { type: 'text', text: '{"data":1}' },
      { type: 'image', mimeType: 'image/png', data: 'AAAA' },
    ]);
    expect(structuredContent).toEqual({ data: 1 });
  });

  it('reads errors as text, with the code, what to do next and the call id, and no structured content', async () => {
    const client = await open(house.url, era);
    await client.list();
    const failed = await client.call('fail');
    expect(failed).toMatchObject({ isError: true, structured: undefined });
    expect(failed.json).toMatchObject({
      code: 'rev_conflict',
      next: expect.stringContaining('Read it again'),
      retryable: false,
      applied: 'no',
      call_id: house.rooms.calls[0]?.callId,
      details: { currentRev: 2 },
    });
    expect((await client.call('no_such_tool')).json).toMatchObject({ code: 'unknown_tool' });
  });

  it('declares a skill, a key against repetition and a token in _meta, and says its name', async () => {
    const client = await open(house.url, era);
    const meta = { 'cloudhal.skill': 'write-article', 'cloudhal.idempotencyKey': 'k1', 'cloudhal.confirmToken': 't1' };
    await client.call('echo', {}, { meta });
    expect(house.rooms.calls[0]).toMatchObject({
      skill: 'write-article',
      idempotencyKey: 'k1',
      confirmToken: 't1',
      client: { name: 'test client', version: '1.2.3' },
    });
  });

  it('is refused an idempotency key that is none, and a token beyond all measure', async () => {
    const client = await open(house.url, era);
    const noKey = await client.call('echo', {}, { meta: { 'cloudhal.idempotencyKey': 7 } });
    const noToken = await client.call('echo', {}, { meta: { 'cloudhal.confirmToken': 'x'.repeat(100_000) } });
    expect(noKey.json).toMatchObject({ code: 'validation_failed' });
    expect(noToken.json).toMatchObject({ code: 'state_invalid' });
    expect(house.rooms.calls).toEqual([]);
  });

  it('passes on whatever it calls a skill, so that policy can refuse it', async () => {
    const client = await open(house.url, era);
    await client.call('echo', {}, { meta: { 'cloudhal.skill': ['publish'] } });
    expect(house.rooms.calls[0]?.skill).toEqual(['publish']);
  });

  it('that goes away has its mutation looked up', async () => {
    const client = await open(house.url, era);
    const controller = new AbortController();
    const gone = client.call('wait', {}, { signal: controller.signal });
    await expect.poll(() => house.rooms.calls.length).toBe(1);
    controller.abort();
    await expect(gone).rejects.toThrow();
    await client.close();
    await expect.poll(() => house.rooms.resolved).toEqual([house.rooms.calls[0]?.callId]);
  });

  it('is told when and how to start', async () => {
    const client = await open(house.url, era);
    expect(client.sdk.getInstructions()).toContain('get_site first');
    expect(client.sdk.getServerVersion()).toMatchObject({ name: 'cloudhal', version: '0.0.0' });
  });
});

it('200 calls at once by 20 agents each get their own answer (T30)', async () => {
  const agents = await Promise.all(
    Array.from({ length: 20 }, (_, i) => open(house.url, eras[i % eras.length]!, { as: `agent${i}` })),
  );
  const answers = await Promise.all(
    Array.from({ length: 200 }, async (_, i) => {
      const nonce = `nonce ${i}`;
      const { structured } = await agents[i % 20]!.call('echo', { nonce });
      return { structured, expected: { data: { principal: `agent:agent${i % 20}`, nonce } } };
    }),
  );
  for (const { structured, expected } of answers) expect(structured).toEqual(expected);
});

it('a limit that depends on the tool is an error of that call alone', async () => {
  await house.close();
  house = await openHouse(rings.rings, {
    admission: {
      async admit(_principal, tool) {
        if (tool === 'publish') throw new Error('the limiter broke');
      },
      expectAnswer: async () => undefined,
      takeAnswer: async () => false,
    },
  });
  const client = await open(house.url, '2025-11-25');
  expect((await client.call('publish')).json).toMatchObject({ code: 'internal' });
  expect((await client.call('echo')).isError).toBe(false);
});

it('a changed catalogue is listed at once', async () => {
  const client = await open(house.url, '2025-11-25');
  await client.list();
  const before = catalogue.digest;
  const removed = catalogue.tools.pop()!;
  catalogue.digest = 'two';
  try {
    house.bus.publish(events.toolsChanged, { digest: 'two' });
    await expect.poll(async () => await client.list()).not.toContain(removed.name);
  } finally {
    catalogue.tools.push(removed);
    catalogue.digest = before;
  }
});
