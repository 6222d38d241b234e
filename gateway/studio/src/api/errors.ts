type Body = { code: string; message: string; next: string; details?: Record<string, unknown>; call_id?: string };

/** A refusal of the server, in its own words: what happened, and what to do next. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly body: Body;

  constructor(status: number, body: Body) {
    super(body.message);
    this.status = status;
    this.body = body;
  }

  get code(): string {
    return this.body.code;
  }
}

/** What people are told in place of the server's words, which are for agents: by code, and by the facts that came with it. */
export type Refusals = Record<string, (details: Record<string, unknown>) => Pick<Body, 'message' | 'next'> | undefined>;

/** The same refusal in words for people, where there are such. */
export function reworded(error: unknown, refusals: Refusals): unknown {
  if (!(error instanceof ApiError)) return error;
  const { code, details = {} } = error.body;
  return new ApiError(error.status, { ...error.body, ...refusals[code]?.(details) });
}

export function codeOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.code : undefined;
}
