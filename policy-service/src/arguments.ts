import { fail } from '@cloudhal/shared/errors';
import { coerceLosslessly, compile } from '@cloudhal/shared/schema';
import type { KnownTool } from './catalogue.ts';

type Arguments = Record<string, unknown>;

/** Takes the confirm token out of where it may stand: it is no part of what is confirmed. */
export function takeConfirmToken(
  tool: KnownTool,
  args: Arguments,
  beside: string | undefined,
): { args: Arguments; confirmToken?: string } {
  if (!tool.accepts('confirmToken') || args.confirmToken === undefined) {
    return { args, ...(beside !== undefined && { confirmToken: beside }) };
  }
  const { confirmToken, ...rest } = args;
  if (typeof confirmToken !== 'string' || confirmToken.length > 4096) {
    throw fail('validation_failed', { path: 'confirmToken', expected: 'the token as it was given' });
  }
  if (beside !== undefined && beside !== confirmToken) {
    throw fail('validation_failed', { path: 'confirmToken', expected: 'one token, in one place' });
  }
  return { args: rest, confirmToken };
}

/** Clients send it beside the call, or as `requestId` where the tool has that argument. */
export function idempotencyKeyOf(tool: KnownTool, args: Arguments, beside: string | undefined): string | undefined {
  const inside = tool.accepts('requestId') && typeof args.requestId === 'string' ? args.requestId : undefined;
  if (inside !== undefined && beside !== undefined && inside !== beside) {
    throw fail('validation_failed', { path: 'requestId', expected: 'the same value as the idempotency key' });
  }
  return inside ?? beside;
}

/** Arguments in the form that is decided on, hashed and run: coerced where nothing is lost by it. */
export function coerceArguments(tool: KnownTool, args: Arguments): Arguments {
  const coerced = coerceLosslessly(tool.inputSchema, args);
  if (typeof coerced !== 'object' || coerced === null || Array.isArray(coerced)) {
    throw fail('validation_failed', { path: 'arguments', expected: 'must be an object' });
  }
  return coerced as Arguments;
}

export function validateArguments(tool: KnownTool, args: Arguments): void {
  const check: (value: unknown) => void = compile(tool.inputSchema);
  check(args);
}
