import { runService } from '@cloudhal/shared/process';
import { start } from './service.ts';

await runService('skills', ({ bus, log, config: { skillsDir } }) =>
  start({ bus, log, folders: skillsDir === undefined ? [] : [skillsDir] }),
);
