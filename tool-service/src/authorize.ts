import { fail } from '@cloudhal/shared/errors';
import { argumentsHash, type Permit, permitExpiry, type Verifier, verifyPermit } from '@cloudhal/shared/permit';
import { hasScope } from '@cloudhal/shared/policy';
import type { Pool } from '@cloudhal/shared/tool';
import type { Tool } from './define-tool.ts';

export type Authorized = {
  tool: Tool;
  permit: Permit;
  token: string;
  /** Seconds since 1970. */
  expiry: number;
  /** Without `confirmToken`, which is not the handler's business. */
  args: Record<string, unknown>;
  idempotencyKey: string | undefined;
};

export type AuthorizeDeps = {
  tools: ReadonlyMap<string, Tool>;
  verifier: Verifier;
  /** The prefix of the gateway's inboxes, the only ones that results go to. */
  answerPrefix: string;
  now(): Date;
};

/** Whether this very call was permitted: this tool, these arguments, this site, an answer to this inbox. */
export function authorize(
  { tools, verifier, answerPrefix, now }: AuthorizeDeps,
  pool: Pool,
  { permit: token, arguments: given }: { permit: string; arguments: Record<string, unknown> },
  answerTo: string,
): Authorized {
  const permit = verifyPermit(token, verifier, now());
  const tool = tools.get(permit.tool);
  if (!tool || tool.facts.pool !== pool) throw fail('permit_invalid');
  if (permit.argumentsHash !== argumentsHash(given)) throw fail('permit_invalid');
  if (permit.answerTo !== answerTo || !answerTo.startsWith(answerPrefix)) throw fail('permit_invalid');
  if (permit.site !== undefined && permit.sites !== '*' && !permit.sites.includes(permit.site))
    throw fail('permit_invalid');
  if (given.site !== undefined && given.site !== permit.site) throw fail('permit_invalid');
  for (const scope of tool.facts.scopes) if (!hasScope(permit.scopes, scope)) throw fail('scope_missing', { scope });
  const { confirmToken: _, ...args } = given;
  return { tool, permit, token, expiry: permitExpiry(token), args, idempotencyKey: idempotencyKey(permit, args) };
}

function idempotencyKey({ idempotencyKey: key }: Permit, { requestId }: Record<string, unknown>): string | undefined {
  if (typeof requestId !== 'string') return key;
  if (key !== undefined && key !== requestId) {
    throw fail('validation_failed', { path: 'requestId', expected: 'the same as the idempotency key of the call' });
  }
  return requestId;
}
