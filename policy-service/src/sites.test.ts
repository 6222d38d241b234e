import { once } from 'node:events';
import { createInProcessBus } from '@cloudhal/shared/bus/in-process-bus';
import { sites } from '@cloudhal/shared/contracts';
import { createLog } from '@cloudhal/shared/log';
import { afterEach, expect, it, vi } from 'vitest';
import { siteDirectory } from './sites.ts';

const log = createLog('policy', { level: 'silent' });
const main = { id: 'site_1', slug: 'main', title: 'Main' };

afterEach(() => vi.useRealTimers());

it('a worker that hangs does not hide the sites that were known; a new one cannot be found then', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const bus = createInProcessBus({ log });
  let hangs = false;
  const over = new AbortController();
  await bus.answer(sites, async () => {
    if (hangs) await once(over.signal, 'abort');
    return { sites: [main] };
  });
  const directory = siteDirectory(bus);
  const everything = { sites: '*' } as const;
  expect(await directory.visible(everything, 100)).toEqual([main]);
  hangs = true;
  vi.advanceTimersByTime(60_000);
  expect(await directory.visible(everything, 100)).toEqual([main]);
  expect(await directory.visible({ sites: ['site_2'] }, 100)).toEqual([]);
  await expect(directory.visible(everything, 100, performance.now())).rejects.toMatchObject({
    code: 'tool_unavailable',
  });
  over.abort();
  await bus.close();
});
