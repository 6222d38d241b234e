import { CloudhalError } from '@cloudhal/shared/errors';

/** Why a skill is left out, in words for the person who wrote it. */
export class Problem extends Error {
  override readonly name = 'Problem';
}

/** A diagnostic of one line. What is not a problem of the skill itself keeps its text (and paths) to the log. */
export function describeProblem(thrown: unknown): string {
  if (thrown instanceof Problem || thrown instanceof CloudhalError) {
    return thrown.message.replace(/[\u0000-\u001f\u007f-\u009f\u2028-\u202e\u2066-\u2069]+/g, ' ').slice(0, 300);
  }
  return 'it cannot be read';
}
