import { Type } from 'typebox';

/** An answer whose members are the owning service's to say. */
export const Open = Type.Unsafe<unknown>({ type: 'object' });
