import { runService } from '@cloudhal/shared/process';
import { loadSigner, loadVerifier } from '@cloudhal/shared/secrets';
import { start } from './service.ts';

await runService('audit', ({ bus, database, log, config }) =>
  start({
    bus,
    database,
    log,
    principals: loadVerifier(config.principalJwksFile),
    permits: loadVerifier(config.permitJwksFile),
    checkpointKey: loadSigner(config.checkpointKeyFile).privateKey,
    ...(config.checkpointJwksFile && { checkpointKeys: loadVerifier(config.checkpointJwksFile) }),
    checkpointDir: config.checkpointDir,
  }),
);
