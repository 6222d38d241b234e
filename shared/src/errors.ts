/** The one list of error codes. Each row is what an agent or a person is told; `docs/reference/errors.md` is made from it. */

/** Whether the call's effect is in the store: `unknown` only when the store itself could not be asked. */
export type Applied = 'no' | 'yes' | 'unknown';

/** An error as it travels: on the bus, over HTTP and inside an MCP tool result. Never a stack, a path or SQL. */
export type ErrorBody = {
  code: ErrorCode;
  message: string;
  /** What to do next, in one or two sentences. */
  next: string;
  /** True when the identical call may succeed later. */
  retryable: boolean;
  applied: Applied;
  call_id?: string;
  /** Facts for programs, such as `currentRev`; named in the row's message where a person needs them. */
  details?: Record<string, unknown>;
};

type Row = { status: number; message: string; next: string; retryable?: true; applied?: Applied };

const table = {
  // Arguments
  validation_failed: {
    status: 400,
    message: 'Argument {path} is not valid: {expected}.',
    next: 'Correct {path} and call again. Nothing was changed.',
  },
  not_found: {
    status: 404,
    message: 'There is no {what} "{id}" that you can see.',
    next: 'List what there is, then call again with an id from the list.',
  },
  unknown_tool: {
    status: 404,
    message: 'There is no tool "{tool}" that you can call.',
    next: 'List the tools and call one of them.',
  },
  rev_conflict: {
    status: 409,
    message: '{node} changed since you read it: you sent rev {sent}, it is now {currentRev}.',
    next: 'Read it again, reapply your change, and send the new rev.',
  },
  match_failed: {
    status: 409,
    message: 'The text to find occurs {found} times, expected {expected}.',
    next: 'Read the body, choose a longer text that occurs as often as you say, and call again.',
  },
  slug_taken: {
    status: 409,
    message: 'The address "{slug}" is already used by {by}.',
    next: 'Choose another slug, or change the node that has it.',
  },
  in_use: {
    status: 409,
    message: '{node} is still used by {by}.',
    next: 'Remove these uses first, or say that they may break where the tool has that argument.',
  },
  limit_exceeded: {
    status: 413,
    message: '{what} is over the limit of {max}.',
    next: 'Send less in one call.',
  },
  payload_too_large: {
    status: 413,
    message: 'The request is larger than {max} bytes.',
    next: 'Send less in one call; upload files by their own upload URL.',
  },
  unsupported_media: {
    status: 415,
    message: 'This kind of content is not accepted: {found}.',
    next: 'Send one of: {accepted}.',
  },
  malformed_json: {
    status: 400,
    message: 'The request is not valid JSON: {reason}.',
    next: 'Send one well-formed JSON document in UTF-8.',
  },
  json_too_deep: {
    status: 400,
    message: 'The JSON is nested deeper than {max} levels.',
    next: 'Send a flatter document.',
  },
  invalid_unicode: {
    status: 400,
    message: 'Text at {path} is not valid Unicode.',
    next: 'Send text without lone surrogates.',
  },
  idempotency_conflict: {
    status: 409,
    message: 'This idempotency key was used for another call.',
    next: 'Use a new key for a new call; repeat the old call unchanged to get its result.',
  },
  in_progress: {
    status: 409,
    message: 'A call with this idempotency key is still running.',
    next: 'Wait a few seconds, then repeat the identical call.',
    retryable: true,
  },

  // Who is asking
  unauthorized: {
    status: 401,
    message: 'No valid agent key was sent.',
    next: 'Send a key made under Agents as "Authorization: Bearer <key>" or "x-api-key: <key>".',
  },
  conflicting_credentials: {
    status: 400,
    message: 'Two different credentials were sent.',
    next: 'Send the agent key in one header only.',
  },
  not_a_member: {
    status: 403,
    message: "The key's owner no longer belongs to this deployment.",
    next: 'Ask a person who does to create a new key.',
  },
  forbidden: {
    status: 403,
    message: 'Your role does not allow this: {needs}.',
    next: 'Ask an owner of the deployment.',
  },
  reauthentication_required: {
    status: 403,
    message: 'This decision needs a recent sign-in.',
    next: 'Sign in again, then repeat it.',
  },
  sign_in_required: {
    status: 401,
    message: 'You are not signed in.',
    next: 'Sign in, then repeat it.',
  },
  sign_in_failed: {
    status: 401,
    message: 'This e-mail address and password do not go together.',
    next: 'Check both, or ask an owner of the deployment for a new invitation.',
  },
  link_invalid: {
    status: 410,
    message: 'This link was used, has expired, or never was valid.',
    next: 'Ask for a new one.',
  },
  owner_exists: {
    status: 409,
    message: 'This deployment has an owner already.',
    next: 'Ask an owner for an invitation.',
  },
  last_owner: {
    status: 409,
    message: 'The deployment would be left without an owner.',
    next: 'Make somebody else an owner first.',
  },
  origin_refused: {
    status: 403,
    message: 'Requests from this origin or host are refused.',
    next: "Call from a program, or from the deployment's own pages.",
  },
  method_not_allowed: {
    status: 405,
    message: '{method} is not served here.',
    next: 'Use {allow}.',
  },
  rate_limited: {
    status: 429,
    message: 'Too many requests: {limit}.',
    next: 'Wait {retryAfter} seconds, then call again.',
    retryable: true,
  },
  budget_exhausted: {
    status: 429,
    message: 'The budget of this key is used up: {budget}.',
    next: 'Ask the owner of the key for more, or wait until it renews.',
  },

  // Policy
  mode_forbids: {
    status: 403,
    message: 'Mode {mode} does not run {tool} ({class}).',
    next: 'Ask a person for another mode with request_elevation, or use a tool that only reads.',
  },
  scope_missing: {
    status: 403,
    message: 'This call needs the scope {scope}.',
    next: 'Use another tool, or ask for a key that has this scope.',
  },
  skill_scope: {
    status: 403,
    message: 'The skill {skill} does not include the scope {scope}.',
    next: 'Call without declaring this skill, or follow a skill that includes it.',
  },
  skill_unknown: {
    status: 400,
    message: 'There is no skill "{skill}".',
    next: 'List the skills with list_skills, declare one of them, or declare none.',
  },
  skill_unavailable: {
    status: 503,
    message: 'The declared skill cannot be checked at the moment.',
    next: 'Call again in a few seconds.',
    retryable: true,
  },
  approval_required: {
    status: 403,
    message: 'A person has to approve this call: {reason}.',
    next: '{how}',
    retryable: true,
  },
  nothing_to_change: {
    status: 409,
    message: 'This call would change nothing: all is as it asks for.',
    next: 'Do not repeat it. Whether an earlier call did it, list_activity says.',
  },
  approval_rejected: {
    status: 403,
    message: 'A person declined this call{because}.',
    next: 'Do not repeat it unchanged; ask the person what they want instead.',
  },
  approval_expired: {
    status: 409,
    message: 'The approval has expired.',
    next: 'Make the call again to ask anew.',
  },
  approval_consumed: {
    status: 409,
    message: 'The approval was already used.',
    next: 'Make the call again to ask anew.',
  },
  approval_args_changed: {
    status: 409,
    message: 'The arguments differ from those that were approved.',
    next: 'Repeat the call exactly as it was asked, or call without the token to ask anew.',
  },
  approval_stale: {
    status: 409,
    message: 'What was approved has changed since: {what}.',
    next: 'Make the call again: the summary is made anew.',
    retryable: true,
  },
  approval_revoked: {
    status: 403,
    message: 'The approval was withdrawn with the key or its rights.',
    next: 'Ask a person for a key that may do this.',
  },
  approval_decided: {
    status: 409,
    message: 'This request is already {state}, by {by} at {at}.',
    next: 'Reload the list.',
  },
  state_invalid: {
    status: 400,
    message: 'The approval state sent with the call is not valid.',
    next: 'Make the call again without it to ask anew.',
  },
  embargoed: {
    status: 403,
    message: '{node} is embargoed until {until}.',
    next: 'Leave it out, or wait until the embargo ends.',
  },
  outside_window: {
    status: 403,
    message: "The site's publishing window is closed; it opens {opens}.",
    next: 'Wait for the window, or let a person approve.',
  },
  digest_moved: {
    status: 409,
    message: 'The site moved since this was planned.',
    next: 'Read again what would change (get_publish_plan, get_release or diff_snapshots) and send what it is bound to now.',
  },
  undo_conflict: {
    status: 409,
    message: 'Later edits touch the same fields: {nodes}.',
    next: 'Look at the differences with diff_snapshots and edit these nodes by hand.',
  },
  release_conflict: {
    status: 409,
    message: 'The release conflicts with {with}.',
    next: 'Read the release and remove or update the conflicting items.',
  },
  redirect_loop: {
    status: 409,
    message: 'The redirects would form a loop or a shadow: {path}.',
    next: 'Change the target, or remove the redirect that closes the loop.',
  },

  // Parts that could not be reached
  policy_unavailable: {
    status: 503,
    message: 'The policy service could not decide, so the call did not run.',
    next: 'Call again in a few seconds.',
    retryable: true,
  },
  audit_unavailable: {
    status: 503,
    message: 'The call could not be recorded, so it did not run.',
    next: 'Call again in a few seconds.',
    retryable: true,
  },
  tool_unavailable: {
    status: 503,
    message: 'No worker for this tool answered.',
    next: 'Call again in a few seconds.',
    retryable: true,
  },
  overloaded: {
    status: 503,
    message: 'All workers are busy.',
    next: 'Call again in a few seconds.',
    retryable: true,
  },
  storage_unavailable: {
    status: 503,
    message: 'The store could not be reached.',
    next: 'Call again in a few seconds.',
    retryable: true,
  },
  storage_full: {
    status: 507,
    message: 'The store is full.',
    next: 'Tell the people who run this deployment.',
  },
  local_store_unavailable: {
    status: 503,
    message: 'The PostgreSQL of this folder cannot be used: {problem}.',
    next: '{how}',
  },
  deadline_exceeded_not_applied: {
    status: 504,
    message: 'The call took too long and was given up; nothing was changed.',
    next: 'Call again, with less in one call if you can.',
    retryable: true,
  },
  outcome_unknown: {
    status: 504,
    message: 'It could not be found out whether the call was applied.',
    next: 'Read what you changed, or look for the call id with list_activity, before you repeat it.',
    applied: 'unknown',
  },
  fetch_blocked: {
    status: 403,
    message: 'This address is not fetched: {reason}.',
    next: 'Use a public http or https address.',
  },
  fetch_failed: {
    status: 502,
    message: 'The address could not be fetched: {reason}.',
    next: 'Check the address; where it is right, call again later.',
    retryable: true,
  },
  renderer_timeout: {
    status: 504,
    message: 'The page took too long to render.',
    next: 'Render a smaller page, or call again.',
    retryable: true,
  },
  renderer_unavailable: {
    status: 503,
    message: 'Nothing can render the page: {problem}.',
    next: '{how}',
    retryable: true,
  },
  tool_quarantined: {
    status: 503,
    message: 'This call failed repeatedly and is held back.',
    next: 'Change the arguments, or tell the people who run this deployment.',
  },
  clock_skew: {
    status: 503,
    message: 'The clocks of two services differ too much.',
    next: 'Tell the people who run this deployment.',
  },
  permit_invalid: {
    status: 403,
    message: 'The call carries no valid permit.',
    next: 'Call through the gateway.',
  },
  internal: {
    status: 500,
    message: 'Something went wrong on our side.',
    next: 'Call again; if it happens again, tell the people who run this deployment the call id.',
  },
} as const satisfies Record<string, Row>;

export type ErrorCode = keyof typeof table;

export const errorTable: Readonly<Record<ErrorCode, Row>> = table;

type Placeholders<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Placeholders<Rest>
  : never;
type Needed<C extends ErrorCode> = Placeholders<(typeof table)[C]['message'] | (typeof table)[C]['next']>;
/** The details that a code's texts name; leaving one out does not compile. */
export type ErrorDetails<C extends ErrorCode> = [Needed<C>] extends [never]
  ? Record<string, unknown> | undefined
  : Record<Needed<C>, unknown> & Record<string, unknown>;

export class CloudhalError extends Error {
  override readonly name = 'CloudhalError';
  readonly body: ErrorBody;

  constructor(body: ErrorBody, options?: ErrorOptions) {
    super(body.message, options);
    this.body = body;
  }

  get code(): ErrorCode {
    return this.body.code;
  }

  /** The HTTP status that goes with the code. */
  get status(): number {
    return errorTable[this.body.code].status;
  }
}

/** Makes the error of a code; texts are filled from the details. Throw what it returns. */
export function fail<C extends ErrorCode>(
  code: C,
  ...[details]: ErrorDetails<C> extends infer D ? (undefined extends D ? [details?: D] : [details: D]) : never
): CloudhalError {
  const row: Row = table[code];
  const facts = (details ?? {}) as Record<string, unknown>;
  const body: ErrorBody = {
    code,
    message: fill(row.message, facts),
    next: fill(row.next, facts),
    retryable: row.retryable ?? false,
    applied: row.applied ?? 'no',
  };
  if (Object.keys(facts).length > 0) body.details = facts;
  return new CloudhalError(body);
}

/** The error body of anything thrown. What is not ours becomes `internal`, and its text stays behind. */
export function toErrorBody(thrown: unknown, callId?: string): ErrorBody {
  const body = thrown instanceof CloudhalError ? { ...thrown.body } : fail('internal').body;
  if (callId !== undefined) body.call_id = callId;
  return body;
}

function fill(text: string, details: Record<string, unknown>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => plain(details[name]));
}

function plain(value: unknown): string {
  if (Array.isArray(value)) return value.map(plain).join(', ');
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value ?? '');
}
