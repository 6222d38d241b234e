import { expect } from 'vitest';

/** A stack, a path of the machine, a statement, a name of a table or role, a server that is away. */
const inside =
  /\bat (?:\/|async |file:|node:)|node_modules|\/(?:dist|src|tmp|usr|home)\/|\b(?:SELECT|INSERT INTO|UPDATE \w+ SET|DELETE FROM)\b|\b(?:gateway|policy|tools|audit|media)\.[a-z_]+\b|cloudhal_(?:gateway|policy|tools|audit)|relation "|ECONN/;

/** Fails where what a caller was told shows what is behind it (T38). */
export function saysNothingOfTheInside(told: string): void {
  expect(inside.exec(told)?.[0], told.slice(0, 2_000)).toBeUndefined();
}
