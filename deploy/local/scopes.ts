import type { Scope } from '@cloudhal/shared/policy';
import type { Toolset } from '@cloudhal/shared/tool';

/** Scopes as written on a command line; the names were checked there. */
export function parseScopes(text: string): Scope[] | '*' {
  return text === '*' ? '*' : (text.split(',') as Scope[]);
}

export function parseToolsets(text: string): Toolset[] {
  return text.split(',') as Toolset[];
}
