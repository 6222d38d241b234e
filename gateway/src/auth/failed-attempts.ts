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
/** Where the lines beyond these are counted. */
const others = 'others';

/** Refused credentials go into the record as one line for each prefix, network and minute, so that nobody can flood it. */
export function createFailedAttempts(deps: { database: Database; log: Log; everyMs?: number }): FailedAttempts {
  const { database, log, everyMs = 60_000 } = deps;
  let counts = new Map<string, FailedAttempt & { count: number }>();

  function note(attempt: FailedAttempt, times: number): void {
    const key = JSON.stringify(attempt);
    const line = counts.get(key);
    if (line) line.count += times;
    else if (counts.size < mostLines || attempt.network === others) counts.set(key, { ...attempt, count: times });
    else note({ ...attempt, prefix: others, network: others }, times);
  }

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
      log.warn({ err: error, lines: lines.length }, 'refused credentials could not be recorded yet');
      for (const { count, ...attempt } of lines) note(attempt, count);
    }
  }

  const timer = setInterval(() => void flush(), everyMs);
  timer.unref();

  return {
    add: (attempt) => note(attempt, 1),
    flush,
    async stop() {
      clearInterval(timer);
      await flush();
    },
  };
}
