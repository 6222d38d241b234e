import type { ToolOutcome } from '@cloudhal/shared/contracts';
import { modes, type Principal } from '@cloudhal/shared/policy';
import { localToolNames } from '@cloudhal/shared/tool';
import type { Static } from 'typebox';
import type { KnownTool } from './catalogue.ts';
import { type Decision, decide, type Facts } from './decide.ts';
import { effectiveMode } from './effective-mode.ts';
import { type Elevation, elevationColumns, stillLifts } from './elevations/elevation.ts';
import { mustBeCurrent } from './prepare.ts';
import type { Room } from './room.ts';
import { defaultSiteRules } from './site-rules.ts';
import { readSiteRules } from './site-rules-store.ts';
import type { Change } from './small-publish.ts';
import { taintedUntil } from './taint-store.ts';

type Outcomes = { mode: string; tainted: boolean; tools: Static<typeof ToolOutcome>[] };

/** What becomes of each tool's calls, by the function that decides them. Changes nothing, and asks for no arguments. */
export async function explainTools(room: Room, principal: Principal, site?: string): Promise<Outcomes> {
  mustBeCurrent(await room.keys.read(principal));
  const [tools, until, elevations, rules] = await Promise.all([
    room.tools.all(),
    taintedUntil(room.database, principal),
    activeElevations(room, principal, site),
    site === undefined ? defaultSiteRules : readSiteRules(room.database, site),
  ]);
  const tainted = until !== undefined;
  const facts = (tool: KnownTool): Facts => {
    const elevation = elevations.find(({ tools: only }) => only === null || only.includes(tool.name));
    return {
      principal,
      tool,
      arguments: {},
      ...(site !== undefined && tool.accepts('site') && { site }),
      ...(elevation && { elevation }),
      rules,
      tainted,
      now: new Date(),
    };
  };
  const general = elevations.find(({ tools: only }) => only === null);
  return {
    mode: effectiveMode(principal, general, tainted),
    tainted,
    tools: tools.filter(({ name }) => !localToolNames.includes(name)).map((tool) => outcomeOf(tool, facts(tool))),
  };
}

function outcomeOf(tool: KnownTool, facts: Facts): Static<typeof ToolOutcome> {
  const { decision, rule, reasons } = decide(facts);
  const { effect, scopes } = tool;
  const small = decision === 'person' ? decideOnSmall(facts, effect) : undefined;
  return {
    tool: tool.name,
    title: tool.title,
    effect,
    scopes,
    decision,
    rule,
    reasons,
    ...(small?.decision === 'allow' && { smallRule: small.rule }),
  };
}

/** The same call, were it to publish one article that nothing speaks against. */
function decideOnSmall(facts: Facts, effect: Change['effect']): Decision | undefined {
  if (effect !== 'auto-publish') return undefined;
  const change: Change = { effect, reasons: [], nodes: 1, articlesOnly: true, embargoed: [], problems: [] };
  return decide({ ...facts, change });
}

/** The strongest first, as a call takes it. */
function activeElevations(room: Room, { id, mode }: Principal, site: string | undefined): Promise<Elevation[]> {
  return room.database.query<Elevation>(
    `SELECT ${elevationColumns} FROM policy.elevation
     WHERE principal_id = $1 AND state = 'granted' AND ends_at > clock_timestamp() AND (site IS NULL OR site = $2)
       AND ${stillLifts('$4')}
     ORDER BY array_position($3::text[], mode) DESC, ends_at DESC`,
    [id, site ?? null, modes, mode],
  );
}
