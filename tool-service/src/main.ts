import { runService } from '@cloudhal/shared/process';
import { loadVerifier } from '@cloudhal/shared/secrets';
import { browserSettings } from './browser/browser-settings.ts';
import { start } from './service.ts';

await runService('tools', ({ bus, database, keyValue, log, config }) => {
  return start({
    bus,
    database,
    keyValue,
    log,
    verifier: loadVerifier(config.permitJwksFile),
    settings: {
      pools: config.pools,
      recordReads: 'stream',
      publicUrl: config.publicUrl,
      browser: browserSettings(config),
      fetchAllow: config.fetchAllow,
      checkLinks: config.checkLinks && config.pools.includes('media'),
      ...(config.slots !== undefined && { slots: config.slots }),
    },
  });
});
