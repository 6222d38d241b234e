import type { Mode, Principal, Scopes } from '@cloudhal/shared/policy';

/** The developer at this machine, who starts the server and answers for what it does. */
export function localPrincipal(options: { mode: Mode; scopes: Scopes; name?: string }): Principal {
  return {
    id: 'local',
    kind: 'local',
    name: options.name ?? 'local developer',
    mode: options.mode,
    scopes: options.scopes,
    sites: '*',
    remote: false,
    personAttested: 'off',
    confirmTokenFallback: true,
  };
}
