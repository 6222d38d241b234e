import type { KeyRing } from '@cloudhal/shared/key-ring';
import type { ClientCapabilities } from '@modelcontextprotocol/server';
import { type ClientFacts, clientFacts } from './client-facts.ts';

/**
 * What a client of the 2025 revisions said when it connected. It lives in the `Mcp-Session-Id` itself, sealed, so any
 * replica can serve any request of the session and none has to remember it.
 */
export type Session = {
  id: string;
  /** Whose session it is; anybody else's token is no session at all. */
  principal: string;
  capabilities: ClientCapabilities;
  client?: ClientFacts;
};

const purpose = 'mcp-session';

export async function sealSession(ring: KeyRing, session: Session): Promise<string> {
  return await ring.seal(purpose, session);
}

/** The session of a token; undefined for what is not one of ours (any more), which a stateless client may well send. */
export async function openSession(ring: KeyRing, token: string | undefined): Promise<Session | undefined> {
  if (token === undefined) return undefined;
  return await ring.open<Session>(purpose, token).catch(() => undefined);
}

/** What of an `initialize` goes into the session: the capabilities that a server can use, and the client's name. */
export function readInitialize(params: unknown): Pick<Session, 'capabilities' | 'client'> {
  const { capabilities, clientInfo } = (params ?? {}) as { capabilities?: ClientCapabilities; clientInfo?: unknown };
  const client = clientFacts(clientInfo);
  return { capabilities: keep(capabilities), ...(client && { client }) };
}

/** Headers have to stay short: of each capability only whether it is there, and its own flags. */
function keep(declared: ClientCapabilities | undefined): ClientCapabilities {
  const kept: Record<string, object> = {};
  for (const name of ['elicitation', 'sampling', 'roots'] as const) {
    const capability = declared?.[name];
    if (typeof capability !== 'object' || capability === null) continue;
    const flags = Object.entries(capability).filter(([flag]) => flag.length <= 20);
    kept[name] = Object.fromEntries(flags.slice(0, 4).map(([flag, value]) => [flag, value === false ? false : {}]));
  }
  return kept as ClientCapabilities;
}
