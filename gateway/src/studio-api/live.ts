import { randomBytes } from 'node:crypto';
import type { Bus, Stop } from '@cloudhal/shared/bus/bus';
import { events } from '@cloudhal/shared/contracts';

/** What a page that shows such things should read again. Only a hint: it carries nothing that somebody may not see. */
export type Change = {
  topic: 'approvals' | 'elevations' | 'keys' | 'activity' | 'content' | 'skills' | 'tools';
  id?: string;
};
export type Numbered = { id: string; change: Change };

export type Live = {
  /**
   * Hears every change from now on. `missed` is what happened after the change with the id `after`; `undefined` where that is
   * not known, as after a restart or on another replica: then everything is to be read again.
   */
  listen(hear: (numbered: Numbered) => void, after?: string): { missed: Numbered[] | undefined; stop(): void };
  stop: Stop;
};

const kept = 500;

/** What changes anywhere in the deployment, as one list that streams to browsers follow. */
export async function watchLive(bus: Bus): Promise<Live> {
  const run = randomBytes(6).toString('base64url');
  const recent: Numbered[] = [];
  const listeners = new Set<(numbered: Numbered) => void>();
  let count = 0;

  function tell(change: Change): void {
    const numbered = { id: `${run}.${++count}`, change };
    recent.push(numbered);
    if (recent.length > kept) recent.shift();
    for (const hear of listeners) hear(numbered);
  }

  const stops = await Promise.all([
    bus.subscribe(events.approvalsChanged, ({ id }) => tell({ topic: 'approvals', id })),
    bus.subscribe(events.elevationsChanged, ({ id }) => tell({ topic: 'elevations', id })),
    bus.subscribe(events.keysChanged, () => tell({ topic: 'keys' })),
    bus.subscribe(events.auditArchived, () => tell({ topic: 'activity' })),
    bus.subscribe(events.resourceUpdated, ({ uri }) => tell({ topic: 'content', id: uri })),
    bus.subscribe(events.skillsChanged, () => tell({ topic: 'skills' })),
    bus.subscribe(events.toolsChanged, () => tell({ topic: 'tools' })),
  ]);

  return {
    listen(hear, after) {
      listeners.add(hear);
      return { missed: since(after), stop: () => void listeners.delete(hear) };
    },
    async stop() {
      await Promise.all(stops.map((stop) => stop()));
    },
  };

  function since(after: string | undefined): Numbered[] | undefined {
    if (after === `${run}.${count}`) return [];
    const seen = recent.findIndex(({ id }) => id === after);
    return seen < 0 ? undefined : recent.slice(seen + 1);
  }
}
