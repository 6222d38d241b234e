import { openBlobs } from '@cloudhal/shared/blobs/open-blobs';
import { runService } from '@cloudhal/shared/process';
import { loadVerifier } from '@cloudhal/shared/secrets';
import { browserSettings } from './browser/browser-settings.ts';
import { start } from './service.ts';

await runService('tools', async ({ bus, database, keyValue, log, config }) => {
  return start({
    bus,
    database,
    keyValue,
    blobs: await openBlobs(config, database),
    log,
    verifier: loadVerifier(config.permitJwksFile),
    settings: {
      pools: config.pools,
      recordReads: 'stream',
      publicUrl: config.publicUrl,
      browser: browserSettings(config),
      fetchAllow: config.fetchAllow,
      checkLinks: config.checkLinks && config.pools.includes('media'),
      mediaMaxBytes: config.mediaMaxBytes,
      ...(config.slots !== undefined && { slots: config.slots }),
    },
  });
});
