import { CloudhalError } from '@cloudhal/shared/errors';

/** Something that the person at the terminal can put right. Exit code 2 is for a command that was called wrongly. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: 1 | 2;

  constructor(message: string, options: { exitCode?: 1 | 2 } = {}) {
    super(message);
    this.exitCode = options.exitCode ?? 1;
  }
}

/** What to print for anything thrown: a sentence and what to do next, never a stack unless CLOUDHAL_LOG_LEVEL is debug. */
export function explainFailure(error: unknown): string {
  if (error instanceof CommandError) return error.message;
  if (error instanceof CloudhalError) return `${error.body.message}\n${error.body.next}`;
  if (process.env.CLOUDHAL_LOG_LEVEL === 'debug' && error instanceof Error) return error.stack ?? error.message;
  const message = error instanceof Error ? error.message : String(error);
  return `${message}\nSet CLOUDHAL_LOG_LEVEL=debug to see where it happened.`;
}
