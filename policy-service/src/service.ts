import type { Stop } from '@cloudhal/shared/bus/bus';
import * as contracts from '@cloudhal/shared/contracts';
import { fail } from '@cloudhal/shared/errors';
import { openKeyRing } from '@cloudhal/shared/key-ring';
import { startOutboxRelay } from '@cloudhal/shared/outbox';
import type { Principal } from '@cloudhal/shared/policy';
import { decideInStudio } from './approvals/decide-in-studio.ts';
import { listApprovals } from './approvals/list-approvals.ts';
import { settleCall } from './approvals/settle.ts';
import { answerOwnTool } from './ask-policy.ts';
import { answerCall } from './call.ts';
import { openCatalogue } from './catalogue.ts';
import { skillReader } from './declared-skill.ts';
import { type Deps, defaultSettings } from './deps.ts';
import { decideElevation } from './elevations/decide-elevation.ts';
import { viewOfElevation } from './elevations/elevation.ts';
import { listElevations } from './elevations/list-elevations.ts';
import { explainCall } from './explain.ts';
import { explainTools } from './explain-tools.ts';
import { keyStates } from './key-state.ts';
import { principalReader } from './principal.ts';
import { revokeKey } from './revoke-key.ts';
import type { Room } from './room.ts';
import { decideOnScheduled } from './scheduled.ts';
import { readSiteRules, saveSiteRules } from './site-rules-store.ts';
import { siteDirectory } from './sites.ts';
import { startSweeper } from './sweeper.ts';

export type { Deps, Settings } from './deps.ts';

/** Serves the decisions. Resolves once it answers; what it returns answers what is in flight and stops. */
export async function start(deps: Deps): Promise<Stop> {
  const { bus, database, keyValue, kek, log, signer, permits } = deps;
  const ring = await openKeyRing({ name: 'approvals', keyValue, database, schema: 'policy', kek, log });
  const relay = await startOutboxRelay({ database, schema: 'policy', bus, log });
  const tools = await openCatalogue({ bus, log });
  const room: Room = {
    bus,
    database,
    log,
    settings: { ...defaultSettings, ...deps.settings },
    signer,
    permits,
    kek,
    readPrincipal: principalReader(deps.principals),
    keys: keyStates(keyValue, log),
    tools,
    sites: siteDirectory(bus),
    skills: skillReader(bus),
    ring,
    relay,
  };
  const stops = await Promise.all([...serveCalls(room), ...serveStudio(room), ...hear(room)]);
  const stopSweeper = startSweeper(room);
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
    await stopSweeper();
    await tools.stop();
    await relay();
    await ring.stop();
  };
}

function serveCalls(room: Room): Promise<Stop>[] {
  const { bus } = room;
  return [
    bus.answer(contracts.call, (query, context) => answerCall(room, query, context), { slots: 200 }),
    bus.answer(contracts.askPolicy, (query) => answerOwnTool(room, query)),
    bus.answer(contracts.decideScheduled, (query) => decideOnScheduled(room, query)),
    bus.answer(contracts.siteRules, ({ site }) => readSiteRules(room.database, site)),
  ];
}

function serveStudio(room: Room): Promise<Stop>[] {
  const { bus } = room;
  const person = (token: string) => mustBePerson(room.readPrincipal(token));
  return [
    bus.answer(contracts.setSiteRules, (query) =>
      saveSiteRules(room, room.readPrincipal(query.principal), query.site, query.rules),
    ),
    bus.answer(contracts.listApprovals, ({ principal, ...filter }) =>
      listApprovals(room, { ...filter, sites: person(principal).sites }),
    ),
    bus.answer(contracts.decideApproval, (query, context) => decideInStudio(room, query, context)),
    bus.answer(contracts.listElevations, async ({ principal, states }) => ({
      elevations: (await listElevations(room, person(principal), states)).map(viewOfElevation),
    })),
    bus.answer(contracts.decideElevation, async ({ principal, ...query }) =>
      viewOfElevation(await decideElevation(room, room.readPrincipal(principal), query)),
    ),
    bus.answer(contracts.explain, async ({ principal, ...question }) => {
      const { decision, rule, reasons, code } = await explainCall(room, room.readPrincipal(principal), question);
      return { decision, rule, reasons, ...(code !== undefined && { code }) };
    }),
    bus.answer(contracts.explainTools, async ({ principal, by, site }) => {
      person(by);
      return explainTools(room, room.readPrincipal(principal), site);
    }),
  ];
}

/** What is heard here only makes it faster: the sweeper finds what was missed. */
function hear(room: Room): Promise<Stop>[] {
  const { bus, log } = room;
  return [
    bus.subscribe(contracts.events.callEnded, ({ callId, approvalId }) => {
      if (approvalId === undefined) return;
      settleCall(room, callId).catch((error: unknown) =>
        log.warn({ err: error, callId }, 'an approval could not be settled'),
      );
    }),
    bus.subscribe(contracts.events.keysChanged, ({ keyId }) => {
      room.keys
        .isRevoked(keyId)
        .then((revoked) => (revoked ? revokeKey(room, keyId) : undefined))
        .catch((error: unknown) => log.warn({ err: error, keyId }, 'a changed key could not be looked at'));
    }),
  ];
}

/** Agents read their own approvals with their tools, not everybody's. */
function mustBePerson(principal: Principal): Principal {
  if (principal.kind === 'agent') throw fail('forbidden', { needs: 'a person who is signed in' });
  return principal;
}
