import { CloudhalError, fail } from '@cloudhal/shared/errors';
import { uuidv7 } from '@cloudhal/shared/ids';
import type { KeyRing } from '@cloudhal/shared/key-ring';
import { compile } from '@cloudhal/shared/schema';
import { type Static, Type } from 'typebox';
import type { Approval } from './approval.ts';

/** `rs` comes back with the answer to an elicitation, `ct` with the repeated call. One is never good as the other. */
export type Purpose = 'rs' | 'ct';

/** What a token says: where the approval is, and what it was given for. The approval's row decides. */
const Pointer = Type.Object(
  {
    aid: Type.String(),
    jti: Type.String(),
    tool: Type.String(),
    /** The hash of the arguments. */
    ah: Type.String(),
    sub: Type.String(),
    site: Type.String(),
    /** The key's generation. */
    kg: Type.Integer(),
    /** Milliseconds since 1970, by the store's clock. */
    exp: Type.Integer(),
  },
  { additionalProperties: false },
);
export type Pointer = Static<typeof Pointer>;

const check: (value: unknown) => asserts value is Pointer = compile<Pointer>(Pointer);

export function sealPointer(
  ring: KeyRing,
  purpose: Purpose,
  approval: Approval,
  now: Date,
  tokenMs: number,
): Promise<string> {
  const pointer: Pointer = {
    aid: approval.id,
    jti: uuidv7(),
    tool: approval.tool,
    ah: approval.argumentsHash,
    sub: approval.principal.id,
    site: approval.site,
    kg: approval.principal.keyGeneration ?? 0,
    exp: Math.min(now.getTime() + tokenMs, approval.expiresAt.getTime()),
  };
  return ring.seal(purpose, pointer);
}

/** The pointer in a token; `undefined` where its key is not in the ring any more; else `state_invalid`. */
export async function openPointer(ring: KeyRing, purpose: Purpose, token: string): Promise<Pointer | undefined> {
  try {
    const pointer = await ring.open<Pointer>(purpose, token);
    check(pointer);
    return pointer;
  } catch (error) {
    if (error instanceof CloudhalError && error.body.details?.unknownKey === true) return undefined;
    throw fail('state_invalid');
  }
}
