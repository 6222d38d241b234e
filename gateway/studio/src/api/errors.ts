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

export function codeOf(error: unknown): string | undefined {
  return error instanceof ApiError ? error.code : undefined;
}
