import { readFileSync } from 'node:fs';
import { openBlobs } from '@cloudhal/shared/blobs/open-blobs';
import { houseFile } from '@cloudhal/shared/house-file';
import { runService } from '@cloudhal/shared/process';
import { loadSecret, loadSigner } from '@cloudhal/shared/secrets';
import { outsideSettings } from './outside-settings.ts';
import { limitsFor, pageLimit } from './rate-limit.ts';
import { start } from './service.ts';

await runService('gateway', async ({ bus, keyValue, database, log, config }) => {
  const { keyPepperPreviousFile, deploymentTokenFile, trustProxy } = config;
  const pepperFiles = [config.keyPepperFile, ...(keyPepperPreviousFile === undefined ? [] : [keyPepperPreviousFile])];
  const gateway = await start({
    bus,
    keyValue,
    database,
    blobs: await openBlobs(config, database),
    databaseUrl: config.databaseUrl,
    log,
    signer: loadSigner(config.principalKeyFile),
    secrets: {
      peppers: pepperFiles.map((file) => loadSecret(file)),
      session: loadSecret(config.sessionSecretFile),
      kek: loadSecret(config.kekFile),
      ...(deploymentTokenFile !== undefined && { deploymentToken: readToken(deploymentTokenFile) }),
    },
    settings: {
      version: JSON.parse(readFileSync(houseFile('package.json'), 'utf8')).version,
      listen: { host: config.host, port: config.port },
      publicUrl: config.publicUrl,
      allowedHosts: config.allowedHosts,
      allowedOrigins: config.allowedOrigins,
      replicas: config.replicas,
      limits: {
        ...limitsFor({ perMinute: config.ratePerMinute, burst: config.rateBurst }),
        page: pageLimit(config.pageRatePerMinute),
      },
      drainMs: Math.max(0, config.shutdownSeconds - 5) * 1000,
      ...(trustProxy !== undefined && { trustProxy }),
      ...outsideSettings(config),
    },
  });
  return gateway.stop;
});

/** A token is compared as it is written; the check that it is no placeholder reads it as any secret. */
function readToken(file: string): string {
  loadSecret(file);
  return readFileSync(file, 'utf8').trim();
}
