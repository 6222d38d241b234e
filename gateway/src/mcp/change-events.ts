import type { Bus, Stop } from '@cloudhal/shared/bus/bus';
import { events } from '@cloudhal/shared/contracts';
import type { Log } from '@cloudhal/shared/log';
import { InMemoryServerEventBus, type ServerEventBus } from '@modelcontextprotocol/server';

/** What changed anywhere in the deployment, in the SDK's terms: streams on every replica hear of it. */
export async function watchChanges({ bus, log }: { bus: Bus; log: Log }): Promise<{ bus: ServerEventBus; stop: Stop }> {
  const changes = new InMemoryServerEventBus((error) => log.warn({ err: error }, 'a change was not passed on'));
  const stops = await Promise.all([
    bus.subscribe(events.toolsChanged, () => changes.publish({ kind: 'tools_list_changed' })),
    bus.subscribe(events.skillsChanged, () => changes.publish({ kind: 'resources_list_changed' })),
    bus.subscribe(events.resourceUpdated, ({ uri }) => changes.publish({ kind: 'resource_updated', uri })),
  ]);
  return {
    bus: changes,
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}
