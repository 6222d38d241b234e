import { runService } from '@cloudhal/shared/process';
import { loadSecret, loadSigner, loadVerifier } from '@cloudhal/shared/secrets';
import { start } from './service.ts';

await runService('policy', async ({ bus, database, keyValue, log, config }) => {
  return await start({
    bus,
    database,
    keyValue,
    log,
    signer: loadSigner(config.permitKeyFile),
    permits: loadVerifier(config.permitJwksFile),
    principals: loadVerifier(config.principalJwksFile),
    kek: loadSecret(config.kekFile),
    settings: { personAttested: config.personAttested, confirmTokenFallback: config.confirmTokenFallback },
  });
});
