import { fail } from '@cloudhal/shared/errors';
import { hasScope } from '@cloudhal/shared/policy';
import type { Call } from '../call.ts';
import type { Draft } from '../graph/draft.ts';
import { kindRow } from '../graph/kinds.ts';

/** What goes back to an earlier state asks for the scopes of the tools that change it: it is no way around them. */
export function requireScopes({ changes }: Pick<Draft, 'changes'>, { scopes }: Pick<Call, 'scopes'>): void {
  const missing = changes.map(({ kind }) => kindRow(kind).scope).find((scope) => !hasScope(scopes, scope));
  if (missing !== undefined) throw fail('scope_missing', { scope: missing });
}
