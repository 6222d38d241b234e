import type { Bus, Stop } from '@cloudhal/shared/bus/bus';
import { createInProcessBus } from '@cloudhal/shared/bus/in-process-bus';
import { catalog, events } from '@cloudhal/shared/contracts';
import { beforeEach, describe, expect, it } from 'vitest';
import { watchCatalogue } from './catalogue.ts';
import { log } from './testing/house.ts';

let bus: Bus;
let reads: number;
let digest: string;
let stopTools: Stop;

beforeEach(async () => {
  bus = createInProcessBus({ log });
  reads = 0;
  digest = 'one';
  stopTools = await bus.answer(catalog, async () => {
    reads++;
    return { digest, tools: [] };
  });
});

describe('the catalogue at hand', () => {
  it('is read once for all who ask, and again when it says that it changed', async () => {
    const { current } = await watchCatalogue({ bus, log });
    await Promise.all([current(), current(), current()]);
    await current();
    expect(reads).toBe(1);
    digest = 'two';
    bus.publish(events.toolsChanged, { digest });
    await expect.poll(async () => (await current()).digest).toBe('two');
    expect(reads).toBe(2);
  });

  it('is read again when it got old, though no event was heard', async () => {
    const { current } = await watchCatalogue({ bus, log, maxAgeMs: 0 });
    await current();
    digest = 'two';
    expect((await current()).digest).toBe('two');
  });

  it('outlives tool-service', async () => {
    const { current } = await watchCatalogue({ bus, log, maxAgeMs: 0 });
    await current();
    await stopTools();
    expect((await current()).digest).toBe('one');
  });

  it('is tool_unavailable where there never was one, until there is', async () => {
    await stopTools();
    const { current } = await watchCatalogue({ bus, log });
    await expect(current()).rejects.toMatchObject({ code: 'tool_unavailable' });
    await bus.answer(catalog, async () => ({ digest, tools: [] }));
    expect((await current()).digest).toBe('one');
  });
});
