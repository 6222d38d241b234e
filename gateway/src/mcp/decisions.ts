import type { Bus, Stop } from '@cloudhal/shared/bus/bus';
import { events } from '@cloudhal/shared/contracts';

/** States in which there is still something to wait for: nobody answered, or the approved call runs right now. */
const open = new Set(['pending', 'approved', 'consumed']);

export type Decisions = {
  /** Resolves when the approval is settled elsewhere (in Studio, say) and never rejects. Stop listening with `signal`. */
  settled(approvalId: string, signal: AbortSignal): Promise<'settled'>;
  stop: Stop;
};

/** Hears of approvals that are answered in another place than the client that waits for one. */
export async function watchDecisions(bus: Bus): Promise<Decisions> {
  const listeners = new Map<string, Set<() => void>>();
  const stop = await bus.subscribe(events.approvalsChanged, ({ id, state }) => {
    if (!open.has(state)) for (const listener of listeners.get(id) ?? []) listener();
  });
  return {
    settled(id, signal) {
      return new Promise((resolve) => {
        const here = listeners.get(id) ?? new Set();
        const settle = () => resolve('settled');
        listeners.set(id, here.add(settle));
        signal.addEventListener(
          'abort',
          () => {
            here.delete(settle);
            if (here.size === 0 && listeners.get(id) === here) listeners.delete(id);
          },
          { once: true },
        );
      });
    },
    stop,
  };
}
