/** Every message between services, declared once. `docs/reference/messages.md` and the NATS permissions are held against this file. */
import { Type } from 'typebox';
import { AuditEvent } from './audit-event.ts';
import { event, request, stream } from './bus/bus.ts';
import type { Base } from './permit.ts';
import type { Effect } from './policy.ts';
import type { Catalogue, Pool, ToolResult } from './tool.ts';

const v1 = 'cloudhal.v1';
const Json = Type.Record(Type.String(), Type.Unknown());
const Result = Type.Unsafe<ToolResult>({ type: 'object', required: ['data'] });

// ---- the path of one call -----------------------------------------------------------------------------------------

/** How the client answered a question that was asked on an earlier round of this call. */
export const ApprovalAnswer = Type.Object({
  /** The sealed state that came with the question, echoed by the client. */
  state: Type.Optional(Type.String({ maxLength: 4096 })),
  action: Type.Union([Type.Literal('accept'), Type.Literal('decline'), Type.Literal('cancel')]),
  /** Only `accept` with `confirm: true` runs the call. */
  confirm: Type.Optional(Type.Boolean()),
});

export const CallRequest = Type.Object({
  /** UUIDv7, made by the gateway for each round. */
  callId: Type.String(),
  /** The principal, signed by the gateway (`signPrincipal`). */
  principal: Type.String(),
  tool: Type.String({ maxLength: 64 }),
  /** As the client sent them, after `parseJson`. */
  arguments: Json,
  /** `_meta["cloudhal.skill"]` as sent; whatever is not a known name is refused. */
  skill: Type.Optional(Type.Unknown()),
  idempotencyKey: Type.Optional(Type.String({ minLength: 1, maxLength: 128 })),
  /** `_meta["cloudhal.confirmToken"]`; the argument `confirmToken` is the other way to send it. */
  confirmToken: Type.Optional(Type.String({ maxLength: 4096 })),
  answer: Type.Optional(ApprovalAnswer),
  /** The client can be asked with an elicitation on this very request. */
  canElicit: Type.Boolean(),
  /** For a person's own call: they signed in a short while ago, so `answer` may confirm what always needs a person. */
  recentSignIn: Type.Optional(Type.Boolean()),
  client: Type.Optional(Type.Object({ name: Type.Optional(Type.String()), version: Type.Optional(Type.String()) })),
});

/** What a person is shown; made by the server from the change itself. Strings from content are quoted and capped. */
export const Summary = Type.Object({
  /** One sentence, such as: Publish 3 articles on "Example". */
  title: Type.String(),
  /** Plain lines under it. */
  lines: Type.Array(Type.String()),
  /** The changes node by node, for a page that can show them side by side. */
  diff: Type.Optional(Type.Array(Type.Unknown())),
});

export const ApprovalQuestion = Type.Object({
  id: Type.String(),
  summary: Summary,
  /** What the decision needs a person for. */
  reason: Type.String(),
  /** ISO 8601. */
  expiresAt: Type.String(),
  /** Sealed; goes to the client with the elicitation and comes back with its answer. */
  requestState: Type.String(),
  /** Only where the client cannot elicit and policy allows it. */
  confirmToken: Type.Optional(Type.String()),
  /** Only a signed-in person may answer (in Studio). */
  personOnly: Type.Boolean(),
});

export const CallReply = Type.Union([
  Type.Object({ kind: Type.Literal('approval_required'), approval: ApprovalQuestion }),
  Type.Object({ kind: Type.Literal('result'), result: Result }),
]);

/** gateway → policy-service; an allowed call travels on and tool-service answers. */
export const call = request(`${v1}.policy.call`, CallRequest, CallReply);

export const RunRequest = Type.Object({
  permit: Type.String(),
  /** Coerced by policy-service; tool-service validates them again and changes nothing. */
  arguments: Json,
});

/** policy-service → tool-service, one subject for each pool. */
export const run = {
  content: request(`${v1}.tools.run.content`, RunRequest, CallReply),
  media: request(`${v1}.tools.run.media`, RunRequest, CallReply),
  render: request(`${v1}.tools.run.render`, RunRequest, CallReply),
} satisfies Record<Pool, unknown>;

// ---- tool-service -------------------------------------------------------------------------------------------------

export const catalog = request(`${v1}.tools.catalog`, Type.Object({}), Type.Unsafe<Catalogue>({ type: 'object' }));

export const AssessRequest = Type.Object({
  tool: Type.String(),
  /** The site's id. */
  site: Type.String(),
  arguments: Json,
});

export const Assessment = Type.Object({
  /** The strongest effect of the computed change; it can only raise the tool's own. */
  effect: Type.Unsafe<Effect>({ type: 'string' }),
  /** Why, when it was raised. */
  reasons: Type.Array(Type.String()),
  summary: Summary,
  base: Type.Unsafe<Base>({ type: 'object' }),
  /** How many nodes the call changes. */
  nodes: Type.Integer(),
  /** All is as the call asks for, so there is nothing that a person could decide. */
  unchanged: Type.Optional(Type.Boolean()),
  articlesOnly: Type.Boolean(),
  /** Nodes under embargo, which no publish may expose. */
  embargoed: Type.Array(Type.Object({ node: Type.String(), until: Type.String() })),
  /** Validation and readiness of what would go live. */
  problems: Type.Array(Type.String()),
});

/** What a call would do, computed and not done. Errors of the call itself (a stale rev, say) are thrown as they would be. */
export const assess = request(`${v1}.tools.assess`, AssessRequest, Assessment);

export const Resolution = Type.Union([
  Type.Object({ state: Type.Literal('succeeded'), result: Result }),
  Type.Object({ state: Type.Literal('failed'), error: Type.Unknown() }),
  /** Proof that nothing was and nothing will be applied. */
  Type.Object({ state: Type.Literal('aborted') }),
  Type.Object({ state: Type.Literal('attempted') }),
]);

/** The truth about a call. With `abort`, a call that is not decided yet, or never arrived, is aborted first. */
export const resolve = request(
  `${v1}.tools.resolve`,
  Type.Object({ callId: Type.String(), abort: Type.Boolean() }),
  Resolution,
);

export const SiteBrief = Type.Object({ id: Type.String(), slug: Type.String(), title: Type.String() });

export const sites = request(`${v1}.tools.sites`, Type.Object({}), Type.Object({ sites: Type.Array(SiteBrief) }));

export const NewSite = Type.Object({
  slug: Type.String({ maxLength: 96 }),
  title: Type.String({ minLength: 1, maxLength: 300 }),
  tagline: Type.Optional(Type.String({ maxLength: 1000 })),
  /** The first is the default locale; `en` where nothing is said. */
  locales: Type.Optional(Type.Array(Type.String({ maxLength: 35 }), { minItems: 1, maxItems: 50 })),
});

/** A new, empty site. The gateway asks for an owner of the deployment and says which; nothing that exists is touched. */
export const createSite = request(
  `${v1}.tools.create_site`,
  Type.Object({
    site: NewSite,
    actor: Type.Object({ id: Type.String(), name: Type.String() }),
    /** For a site that is imported: the id that it had, and nothing of what a new one starts with. */
    restoredAs: Type.Optional(Type.String({ pattern: '^st_', maxLength: 64 })),
  }),
  SiteBrief,
);

/** A page of the published site or of a preview, as the gateway serves it. */
export const Rendered = Type.Object({
  status: Type.Integer(),
  html: Type.String(),
  contentType: Type.String(),
  /** Of the page as it is; strong. */
  etag: Type.Optional(Type.String()),
  location: Type.Optional(Type.String()),
  /** The Content-Security-Policy that the page itself asks for; it holds beside the gateway's own and can only narrow it. */
  policy: Type.Optional(Type.String({ maxLength: 2048 })),
});

export const sitePage = request(
  `${v1}.tools.site.page`,
  Type.Object({
    site: Type.String(),
    path: Type.String({ maxLength: 2048 }),
    basePath: Type.String(),
    /** What a form on the page carries back. */
    form: Type.Optional(Type.String({ maxLength: 200 })),
  }),
  Rendered,
);

/** A feed, a site map or robots.txt of a published site, by its path. */
export const siteFeed = request(
  `${v1}.tools.site.feed`,
  Type.Object({ site: Type.String(), path: Type.String({ maxLength: 2048 }), basePath: Type.String() }),
  Rendered,
);

/** A reader wrote a comment. It waits for a person; nothing of who wrote it comes along but the name that they gave. */
export const siteComment = request(
  `${v1}.tools.site.comment`,
  Type.Object({
    site: Type.String(),
    /** Of the entry. */
    path: Type.String({ maxLength: 2048 }),
    basePath: Type.String(),
    author: Type.String({ maxLength: 2_000 }),
    text: Type.String({ maxLength: 64_000 }),
    form: Type.String({ maxLength: 200 }),
    /** The form was sent too fast, or too late; it is shown again and nothing is kept. */
    problem: Type.Optional(Type.Union([Type.Literal('quick'), Type.Literal('expired')])),
  }),
  Rendered,
);

/** One page that readers looked at, or looked for, on one day; nothing in it says who they were. */
export const PageHit = Type.Object({
  site: Type.String({ maxLength: 96 }),
  /** YYYY-MM-DD, in UTC. */
  day: Type.String({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }),
  path: Type.String({ maxLength: 2048 }),
  /** Something is there. */
  found: Type.Boolean(),
  views: Type.Integer({ minimum: 1 }),
  /** Hashes that tell the visitors of that day apart, and say nothing on another. */
  visitors: Type.Array(Type.String({ maxLength: 24 })),
  referrers: Type.Array(Type.Object({ host: Type.String({ maxLength: 100 }), views: Type.Integer({ minimum: 1 }) })),
});

/** What readers looked at since the last time, counted by the gateway. */
export const siteHits = request(
  `${v1}.tools.site.hit`,
  Type.Object({ hits: Type.Array(PageHit, { maxItems: 2_000 }) }),
  Type.Object({}),
);

/** `token` is the whole authority: one node, one state, expiring. */
export const sitePreview = request(
  `${v1}.tools.site.preview`,
  Type.Object({ token: Type.String({ maxLength: 1024 }), basePath: Type.String() }),
  Rendered,
);

/** A file of a site as the gateway serves it from the store of files. */
export const MediaFile = Type.Object({
  /** SHA-256 in hex: the key in the store. */
  hash: Type.String(),
  type: Type.String(),
  /** The name to save it under. */
  filename: Type.String(),
});

const MediaPath = { asset: Type.String({ maxLength: 64 }), file: Type.String({ maxLength: 96 }) };

/** A file that the published site shows; `not_found` for every other. */
export const siteMedia = request(
  `${v1}.tools.site.media`,
  Type.Object({ site: Type.String(), ...MediaPath }),
  MediaFile,
);

/** A file that the node of a preview shows. */
export const previewMedia = request(
  `${v1}.tools.site.preview_media`,
  Type.Object({ token: Type.String({ maxLength: 1024 }), ...MediaPath }),
  MediaFile,
);

// ---- policy-service -----------------------------------------------------------------------------------------------

/** A handler of group 16 asks the owning service and passes the permit, which that service verifies; the permit names the tool. */
export const AskRequest = Type.Object({ permit: Type.String(), arguments: Json });

/** `publish`: of tools that say whether a publish would run, the arguments of that publish. */
export const askPolicy = request(
  `${v1}.policy.ask`,
  Type.Object({ ...AskRequest.properties, publish: Type.Optional(Json) }),
  Result,
);

export const PublishingWindow = Type.Object({
  timeZone: Type.String({ maxLength: 64 }),
  /** 1 Monday … 7 Sunday. */
  days: Type.Array(Type.Integer({ minimum: 1, maximum: 7 }), { maxItems: 7 }),
  from: Type.String({ pattern: '^[0-2][0-9]:[0-5][0-9]$' }),
  to: Type.String({ pattern: '^[0-2][0-9]:[0-5][0-9]$' }),
});

export const SiteRules = Type.Object({
  /** Absent: open at all times. Local times of `timeZone`; `to` at or before `from` is on the next day. */
  publishingWindow: Type.Optional(PublishingWindow),
  smallPublishNodes: Type.Integer({ minimum: 0 }),
  personAttested: Type.Union([Type.Literal('off'), Type.Literal('always-person'), Type.Literal('all')]),
  confirmTokenFallback: Type.Boolean(),
  taintMinutes: Type.Integer({ minimum: 0 }),
  fourEyes: Type.Boolean(),
});

export const siteRules = request(`${v1}.policy.site_rules`, Type.Object({ site: Type.String() }), SiteRules);

/** What is left out stays; `null` takes the publishing window away. */
export const SiteRulesChange = Type.Partial(
  Type.Object({ ...SiteRules.properties, publishingWindow: Type.Union([PublishingWindow, Type.Null()]) }),
);

export const setSiteRules = request(
  `${v1}.policy.set_site_rules`,
  Type.Object({ principal: Type.String(), site: Type.String(), rules: SiteRulesChange }),
  SiteRules,
);

export const ApprovalView = Type.Object({
  id: Type.String(),
  site: Type.Optional(Type.String()),
  tool: Type.String(),
  state: Type.String(),
  principal: Type.Object({ id: Type.String(), name: Type.String(), owner: Type.Optional(Type.String()) }),
  skill: Type.Optional(Type.String()),
  mode: Type.String(),
  reason: Type.String(),
  summary: Summary,
  alwaysPerson: Type.Boolean(),
  createdAt: Type.String(),
  expiresAt: Type.String(),
  decidedBy: Type.Optional(Type.String()),
  decidedVia: Type.Optional(Type.String()),
  decidedAt: Type.Optional(Type.String()),
  rejectReason: Type.Optional(Type.String()),
  callId: Type.Optional(Type.String()),
});

/** A signed-in person reads what waits. `principal` is theirs, signed. */
export const listApprovals = request(
  `${v1}.policy.approvals.list`,
  Type.Object({
    principal: Type.String(),
    states: Type.Optional(Type.Array(Type.String())),
    id: Type.Optional(Type.String()),
    cursor: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
    /** For a list: the summaries without their diffs. */
    brief: Type.Optional(Type.Boolean()),
  }),
  Type.Object({ approvals: Type.Array(ApprovalView), cursor: Type.Optional(Type.String()) }),
);

/** A signed-in person decides. An approved call runs there and then, as the agent; its result is the answer. */
export const decideApproval = request(
  `${v1}.policy.approvals.decide`,
  Type.Object({
    principal: Type.String(),
    callId: Type.String(),
    id: Type.String(),
    decision: Type.Union([Type.Literal('approve'), Type.Literal('reject')]),
    reason: Type.Optional(Type.String({ maxLength: 500 })),
    /** The person signed in a short while ago. */
    recentSignIn: Type.Boolean(),
    /** The signed principal of whoever asked, as they are now. Only the developer at this machine needs none. */
    requester: Type.Optional(Type.String()),
  }),
  Type.Union([Type.Object({ kind: Type.Literal('rejected') }), CallReply]),
);

export const ElevationView = Type.Object({
  id: Type.String(),
  principal: Type.Object({
    id: Type.String(),
    name: Type.String(),
    owner: Type.Optional(Type.String()),
    /** In which it works without the elevation. */
    mode: Type.String(),
  }),
  site: Type.Optional(Type.String()),
  state: Type.String(),
  /** Absent: all tools. */
  tools: Type.Optional(Type.Array(Type.String())),
  mode: Type.String(),
  minutes: Type.Integer(),
  reason: Type.String(),
  createdAt: Type.String(),
  endsAt: Type.Optional(Type.String()),
  decidedBy: Type.Optional(Type.String()),
});

export const listElevations = request(
  `${v1}.policy.elevations.list`,
  Type.Object({ principal: Type.String(), states: Type.Optional(Type.Array(Type.String())) }),
  Type.Object({ elevations: Type.Array(ElevationView) }),
);

export const decideElevation = request(
  `${v1}.policy.elevations.decide`,
  Type.Object({
    principal: Type.String(),
    id: Type.String(),
    decision: Type.Union([Type.Literal('grant'), Type.Literal('refuse'), Type.Literal('end')]),
    /** Granted lower or shorter than asked. */
    mode: Type.Optional(Type.String()),
    minutes: Type.Optional(Type.Integer({ minimum: 1 })),
  }),
  ElevationView,
);

/** Would this call run? For Studio and dry runs; changes nothing. */
export const explain = request(
  `${v1}.policy.explain`,
  Type.Object({
    principal: Type.String(),
    tool: Type.String(),
    arguments: Type.Optional(Json),
    skill: Type.Optional(Type.String()),
  }),
  Type.Object({
    decision: Type.Union([Type.Literal('allow'), Type.Literal('person'), Type.Literal('deny')]),
    rule: Type.String(),
    reasons: Type.Array(Type.String()),
    code: Type.Optional(Type.String()),
  }),
);

/** What becomes of a call, said by `decide` for a tool as such: nothing of its arguments is known. */
export const ToolOutcome = Type.Object({
  tool: Type.String(),
  title: Type.String(),
  effect: Type.String(),
  scopes: Type.Array(Type.String()),
  decision: Type.Union([Type.Literal('allow'), Type.Literal('person'), Type.Literal('deny')]),
  rule: Type.String(),
  reasons: Type.Array(Type.String()),
  /** The rule by which a small publish of articles runs on its own, where another has to wait for a person. */
  smallRule: Type.Optional(Type.String()),
});

/** What a key may do right now, tool by tool, in the order of the catalogue. `principal` is the key's, signed; `by` a person's. */
export const explainTools = request(
  `${v1}.policy.explain_tools`,
  Type.Object({ principal: Type.String(), by: Type.String(), site: Type.Optional(Type.String()) }),
  Type.Object({ mode: Type.String(), tainted: Type.Boolean(), tools: Type.Array(ToolOutcome) }),
);

/**
 * tool-service asks when the time of a scheduled release has come: what it was scheduled with must still hold. The answer
 * is a permit to run it as whoever scheduled it; a refusal is thrown.
 */
export const decideScheduled = request(
  `${v1}.policy.decide`,
  Type.Object({
    /** A new one, for the run. */
    callId: Type.String(),
    /** The permit that `schedule_release` ran with; that it has expired does not matter. */
    permit: Type.String(),
    /** The digest of what would go live now, to be compared with `base.diff` of that permit. */
    diff: Type.String(),
    /** How many nodes that changes, as an assessment counts them. */
    nodes: Type.Integer({ minimum: 0 }),
  }),
  Type.Object({ permit: Type.String() }),
);

// ---- gateway ------------------------------------------------------------------------------------------------------

/** Who an agent or a person is now, read from the database: what they set going before may go on only within this. */
export const presentPrincipal = request(
  `${v1}.gateway.principal`,
  Type.Object({ id: Type.String({ maxLength: 100 }) }),
  /** Signed; absent where the key, its owner or the person is gone. */
  Type.Object({ principal: Type.Optional(Type.String()) }),
);

// ---- audit-service ------------------------------------------------------------------------------------------------

/** One event, or several that were recorded at once: each has its own id, and is archived once however often it comes. */
export const auditStream = stream(
  'CLOUDHAL_AUDIT',
  `${v1}.audit.events`,
  Type.Union([AuditEvent, Type.Array(AuditEvent)]),
);

/** list_activity: as the permit's principal. */
export const askAudit = request(`${v1}.audit.ask`, AskRequest, Result);

export const AuditQuery = Type.Object({
  principal: Type.String(),
  site: Type.Optional(Type.String()),
  actor: Type.Optional(Type.String()),
  tool: Type.Optional(Type.String()),
  type: Type.Optional(Type.String()),
  skill: Type.Optional(Type.String()),
  decision: Type.Optional(Type.String()),
  outcome: Type.Optional(Type.String()),
  callId: Type.Optional(Type.String()),
  snapshot: Type.Optional(Type.String()),
  since: Type.Optional(Type.String()),
  until: Type.Optional(Type.String()),
  cursor: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
});

export const AuditLine = Type.Object({ seq: Type.Integer(), event: AuditEvent });

export const auditQuery = request(
  `${v1}.audit.query`,
  AuditQuery,
  Type.Object({ lines: Type.Array(AuditLine), cursor: Type.Optional(Type.String()) }),
);

/** What people look for in the record. */
export const ActivityFilter = Type.Object({
  ...Type.Omit(AuditQuery, ['principal', 'type', 'callId', 'cursor', 'limit']).properties,
  /** What this person did themselves, and what was done with their keys. */
  person: Type.Optional(Type.String()),
  /** `calls`, `decisions` of people, `access` (sign-ins, keys, settings), or what concerns the `record`; else all but its readings. */
  kind: Type.Optional(
    Type.Union([Type.Literal('calls'), Type.Literal('decisions'), Type.Literal('access'), Type.Literal('record')]),
  ),
});

/** The record for people, newest first: a call is one entry, whose later lines are folded into it. */
export const auditActivity = request(
  `${v1}.audit.activity`,
  Type.Object({
    principal: Type.String(),
    ...ActivityFilter.properties,
    cursor: Type.Optional(Type.String()),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })),
  }),
  Type.Object({ entries: Type.Array(AuditLine), cursor: Type.Optional(Type.String()) }),
);

/** A piece of an export, newest first, as text of whole lines; `cursor` leads to the next. The first piece is recorded. */
export const auditExport = request(
  `${v1}.audit.export`,
  Type.Object({
    principal: Type.String(),
    ...ActivityFilter.properties,
    format: Type.Union([Type.Literal('jsonl'), Type.Literal('csv')]),
    cursor: Type.Optional(Type.String()),
  }),
  Type.Object({ text: Type.String(), lines: Type.Integer(), cursor: Type.Optional(Type.String()) }),
);

/** How many calls agents made, and how many of them did not run, as far as whoever asks may see. */
export const auditUsage = request(
  `${v1}.audit.usage`,
  Type.Object({ principal: Type.String(), since: Type.String() }),
  Type.Object({
    agents: Type.Array(
      Type.Object({ id: Type.String(), calls: Type.Integer(), denied: Type.Integer(), waited: Type.Integer() }),
    ),
  }),
);

/** How the record stands: what was signed last, and what the last verification found. */
export const RecordState = Type.Object({
  chains: Type.Integer(),
  events: Type.Integer(),
  /** The last signed checkpoint, and how many events came after the checkpoints of their chains. */
  checkpoint: Type.Optional(Type.Object({ at: Type.String(), unsigned: Type.Integer() })),
  /** Somebody started one that has not said yet what it found. */
  verifying: Type.Boolean(),
  verified: Type.Optional(
    Type.Object({
      at: Type.String(),
      by: Type.Optional(Type.String()),
      ok: Type.Boolean(),
      chains: Type.Integer(),
      events: Type.Integer(),
      checkpoints: Type.Integer(),
      problems: Type.Array(
        Type.Object({ chain: Type.String(), seq: Type.Integer(), kind: Type.String(), detail: Type.String() }),
      ),
    }),
  ),
});

export const auditState = request(`${v1}.audit.state`, Type.Object({ principal: Type.String() }), RecordState);

/** Recomputes the whole record. Answers once that is done, or with `verifying` where it takes longer. */
export const auditVerify = request(`${v1}.audit.verify`, Type.Object({ principal: Type.String() }), RecordState);

// ---- skills-service -----------------------------------------------------------------------------------------------

export const SkillManifest = Type.Object({
  name: Type.String(),
  title: Type.String(),
  description: Type.String(),
  scopes: Type.Array(Type.String()),
  /** `sha256:<hex>` over all files of the skill. */
  digest: Type.String(),
  files: Type.Array(
    Type.Object({ path: Type.String(), bytes: Type.Integer(), sha256: Type.String(), mimeType: Type.String() }),
  ),
  source: Type.Union([Type.Literal('built-in'), Type.Literal('folder')]),
});

export const listSkills = request(
  `${v1}.skills.list`,
  Type.Object({}),
  Type.Object({ digest: Type.String(), skills: Type.Array(SkillManifest), problems: Type.Array(Type.String()) }),
);

/** `not_found` for a name that is not in the registry. */
export const getSkill = request(`${v1}.skills.get`, Type.Object({ name: Type.String() }), SkillManifest);

export const readSkill = request(
  `${v1}.skills.read`,
  Type.Object({ name: Type.String(), path: Type.String() }),
  Type.Object({ text: Type.String(), mimeType: Type.String() }),
);

// ---- gateway ------------------------------------------------------------------------------------------------------

/** A client's answer to a server's request that landed on another replica than the one that waits for it. */
export function clientAnswer(replica: string) {
  return request(
    `${v1}.gateway.answer.${replica}`,
    Type.Object({
      nonce: Type.String(),
      principal: Type.String(),
      /** The session token's id. */
      session: Type.String(),
      message: Type.Unknown(),
    }),
    Type.Object({ taken: Type.Boolean() }),
  );
}

// ---- events -------------------------------------------------------------------------------------------------------

/** A site, to who only has to know that it changed. */
export const siteUri = (site: string) => `cloudhal://sites/${site}`;

export const events = {
  keysChanged: event(`${v1}.event.keys_changed`, Type.Object({ keyId: Type.String() })),
  toolsChanged: event(`${v1}.event.tools_changed`, Type.Object({ digest: Type.String() })),
  skillsChanged: event(`${v1}.event.skills_changed`, Type.Object({ digest: Type.String() })),
  /** A skill, or a site by its `siteUri`, is no longer what it was. */
  resourceUpdated: event(`${v1}.event.resource_updated`, Type.Object({ uri: Type.String() })),
  approvalsChanged: event(`${v1}.event.approvals_changed`, Type.Object({ id: Type.String(), state: Type.String() })),
  elevationsChanged: event(`${v1}.event.elevations_changed`, Type.Object({ id: Type.String(), state: Type.String() })),
  /** A call that ran under an approval ended; policy-service settles the approval's row (and resolves what it missed). */
  callEnded: event(
    `${v1}.event.call_ended`,
    Type.Object({ callId: Type.String(), approvalId: Type.Optional(Type.String()), state: Type.String() }),
  ),
  auditArchived: event(`${v1}.event.audit_archived`, Type.Object({ eventIds: Type.Array(Type.String()) })),
};
