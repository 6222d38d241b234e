import type { Database } from '@cloudhal/shared/database';
import type { Log } from '@cloudhal/shared/log';
import { auditEvent, putInOutbox } from '@cloudhal/shared/outbox';

export type FailedAttempt = {
  /** `agent key` or `password`. */
  credential: string;
  /** The public part of what was sent, such as a key's id; never the secret. */
  prefix: string;
  /** Truncated, see `network`. */
  network: string;
};

export type FailedAttempts = { add(attempt: FailedAttempt): void; flush(): Promise<void>; stop(): Promise<void> };

const mostLines = 500;

/** Refused credentials go into the record as one line for each prefix, network and minute, so that nobody can flood it. */
export function createFailedAttempts(deps: { database: Database; log: Log; everyMs?: number }): FailedAttempts {
  const { database, log, everyMs = 60_000 } = deps;
  let counts = new Map<string, FailedAttempt & { count: number }>();

  async function flush(): Promise<void> {
    if (counts.size === 0) return;
    const lines = [...counts.values()];
    counts = new Map();
    const made = lines.map(({ credential, prefix, network, count }) =>
      auditEvent('gateway', {
        type: 'auth.failed',
        site: '_deployment',
        actor: { type: 'unknown', id: prefix },
        details: { credential, prefix, network, count },
      }),
    );
    try {
      await database.transaction((tx) => putInOutbox(tx, 'gateway', ...made));
    } catch (error) {
      log.warn({ err: error, lines: lines.length }, 'refused credentials could not be recorded');
    }
  }

  const timer = setInterval(() => void flush(), everyMs);
  timer.unref();

  return {
    add(attempt) {
      const full = counts.size >= mostLines;
      const key = JSON.stringify(attempt);
      const line = counts.get(key);
      if (line) line.count++;
      else if (!full) counts.set(key, { ...attempt, count: 1 });
      else {
        const rest = { ...attempt, prefix: 'others', network: 'others' };
        const others = counts.get(JSON.stringify(rest));
        if (others) others.count++;
        else counts.set(JSON.stringify(rest), { ...rest, count: 1 });
      }
    },
    flush,
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
