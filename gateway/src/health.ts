import type { Bus } from '@cloudhal/shared/bus/bus';
import { clockAgrees } from '@cloudhal/shared/clock';
import { catalog } from '@cloudhal/shared/contracts';
import type { Database } from '@cloudhal/shared/database';
import type { Log } from '@cloudhal/shared/log';
import { metrics } from '@cloudhal/shared/metrics';
import express, { type Router } from 'express';
import type { AdmitOperator } from './auth/deployment-token.ts';

export type Readiness = { ready: boolean; checks: Record<string, boolean> };

export type ReadinessCheck = Pick<ReturnType<typeof createReadiness>, 'check'>;

/** Whether this replica can serve calls right now. */
export function createReadiness({ bus, database, log }: { bus: Bus; database: Database; log: Log }) {
  let stopping = false;

  async function databaseAndClock(): Promise<{ database: boolean; clock: boolean }> {
    return { database: true, clock: await clockAgrees(database) };
  }

  async function catalogueReachable(): Promise<boolean> {
    await bus.request(catalog, {}, { timeoutMs: 1_000 });
    return true;
  }

  return {
    /** From now on load balancers should look elsewhere. */
    stop: () => {
      stopping = true;
    },
    async check(): Promise<Readiness> {
      const [store, catalogue] = await Promise.all([
        databaseAndClock().catch(() => ({ database: false, clock: true })),
        catalogueReachable().catch(() => false),
      ]);
      const checks = { serving: !stopping, bus: bus.connected(), ...store, catalogue };
      const ready = Object.values(checks).every(Boolean);
      if (!ready) log.debug({ checks }, 'not ready');
      return { ready, checks };
    },
  };
}

/**
 * For those who run the deployment. These come before the check of the Host, since probes and scrapers call a replica by its
 * address. Metrics are for this machine, or for who has the deployment's token.
 */
export function healthRoutes(readiness: ReadinessCheck, admitOperator: AdmitOperator): Router {
  const router = express.Router();
  router.get('/healthz', (_request, response) => {
    response.setHeader('Cache-Control', 'no-store').json({ status: 'ok' });
  });
  router.get('/readyz', async (_request, response) => {
    const { ready, checks } = await readiness.check();
    response.status(ready ? 200 : 503).setHeader('Cache-Control', 'no-store');
    response.json({ status: ready ? 'ready' : 'not ready', checks });
  });
  router.get('/metrics', async (request, response) => {
    const { remoteAddress = '' } = request.socket;
    const local = /^(?:::ffff:)?127\.|^::1$/.test(remoteAddress) && request.headers['x-forwarded-for'] === undefined;
    if (!local) await admitOperator(request, request.ip);
    response.type(metrics.contentType).send(await metrics.metrics());
  });
  return router;
}
