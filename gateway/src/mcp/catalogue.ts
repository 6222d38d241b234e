import type { Bus, Stop } from '@cloudhal/shared/bus/bus';
import { catalog, events } from '@cloudhal/shared/contracts';
import { fail } from '@cloudhal/shared/errors';
import type { Log } from '@cloudhal/shared/log';
import type { Catalogue } from '@cloudhal/shared/tool';

export type CatalogueWatch = {
  /** As last heard: an old one is better than none while tool-service is away. Throws `tool_unavailable` without any. */
  current(): Promise<Catalogue>;
  stop: Stop;
};

/** Keeps tool-service's catalogue at hand: read once, again when it says that it changed, and again when it got old. */
export async function watchCatalogue(deps: { bus: Bus; log: Log; maxAgeMs?: number }): Promise<CatalogueWatch> {
  const maxAgeMs = deps.maxAgeMs ?? 60_000;
  let known: Catalogue | undefined;
  let readAt = Number.NEGATIVE_INFINITY;
  let changedAt = 0;
  let reading: Promise<Catalogue> | undefined;

  async function read(): Promise<Catalogue> {
    const startedAt = performance.now();
    try {
      known = await deps.bus.request(catalog, {}, { timeoutMs: 2_000 });
      readAt = changedAt > startedAt ? Number.NEGATIVE_INFINITY : startedAt;
      return known;
    } catch (error) {
      if (known === undefined) throw fail('tool_unavailable');
      // Not at once again: whoever asks meanwhile gets what is known.
      readAt = performance.now() - maxAgeMs + 1_000;
      deps.log.warn({ err: error }, 'the catalogue could not be read again');
      return known;
    } finally {
      reading = undefined;
    }
  }

  const stop = await deps.bus.subscribe(events.toolsChanged, ({ digest }) => {
    if (digest === known?.digest) return;
    changedAt = performance.now();
    readAt = Number.NEGATIVE_INFINITY;
  });
  return {
    async current() {
      if (known !== undefined && performance.now() - readAt < maxAgeMs) return known;
      reading ??= read();
      return await reading;
    },
    stop,
  };
}
