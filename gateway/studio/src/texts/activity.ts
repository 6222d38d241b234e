/** Of people who answered where their agent asked them. */
const atClient: Record<string, string> = {
  'approval.approved': 'approved at the agent’s own client a call of',
  'approval.rejected': 'rejected at the agent’s own client a call of',
  'approval.answered': 'answered at the agent’s own client about a call of',
};

/** What an entry says was done, after the name of who did it. What is not here is shown by its type. */
const phrases: Record<string, string> = {
  'approval.requested': 'asked a person about',
  'approval.approved': 'approved a call of',
  'approval.rejected': 'rejected a call of',
  'approval.answered': 'answered about a call of',
  'approval.consumed': 'ran what was approved:',
  'approval.succeeded': 'ended well:',
  'approval.failed': 'failed after it was approved:',
  'approval.aborted': 'gave up without effect:',
  'approval.expired': 'nobody decided in time about',
  'approval.stale': 'a change overtook a call of',
  'approval.withdrawn': 'withdrew a call of',
  'approval.revoked': 'ended, with its key, a call of',
  'approval.reopened': 'opened again a call of',
  'elevation.requested': 'asked to do more by itself for a while',
  'elevation.granted': 'granted more autonomy for a while',
  'elevation.refused': 'refused more autonomy',
  'elevation.ended': 'ended an elevation',
  'elevation.expired': 'an elevation ran out',
  'elevation.withdrawn': 'withdrew a request for more autonomy',
  'elevation.revoked': 'ended an elevation with its key',
  'auth.signed_in': 'signed in',
  'auth.signed_out': 'signed out',
  'auth.failed': 'refused a credential',
  'auth.password_changed': 'changed a password',
  'auth.sessions_ended': 'ended sessions',
  'key.created': 'made a key',
  'key.changed': 'changed a key',
  'key.rotated': 'made a new secret for a key',
  'key.revoked': 'revoked a key',
  'config.invited': 'invited somebody',
  'config.invitation_withdrawn': 'withdrew an invitation',
  'config.member_added': 'joined',
  'config.member_removed': 'removed somebody',
  'config.role_changed': 'changed a role',
  'config.site_rules': 'changed the rules of a site',
  'config.site_created': 'made a site',
  'audit.read': 'read the record',
  'audit.export': 'exported the record',
  'audit.verify': 'started to verify the record',
  'audit.verified': 'verified the record',
  'integrity.invalid': 'set aside a record that could not be taken',
  'integrity.conflict': 'found two records with one id',
  'integrity.limiter_degraded': 'counted limits by itself for a while',
  retention: 'dropped what was older than is kept',
  erasure: 'erased the names of somebody',
};

const states: Record<string, string> = {
  succeeded: 'Done',
  failed: 'Failed',
  denied: 'Refused',
  aborted: 'Given up, no effect',
  open: 'Under way',
  person: 'Waits for a person',
  stored: 'Had run before',
};

export const activity = {
  title: 'Activity',
  lead: 'Everything that agents and people did here, newest first, from a record that nobody can change unseen.',
  empty: {
    title: 'Nothing has happened yet',
    text: 'Every call of an agent appears here by itself: what it did, which rule decided, who approved it, and what changed.',
    action: 'Connect an agent',
  },
  emptyFiltered: {
    title: 'Nothing like that is in the record',
    text: 'Take a filter away, or look at a longer time.',
    action: 'Show everything',
  },
  called: { ran: 'used', denied: 'was refused', person: 'asked to use', stored: 'got the earlier result of' },
  /** `channel`: where a person decided, in Studio where nothing is said. */
  phrase: (type: string, channel = 'studio'): string | undefined =>
    (channel === 'studio' ? undefined : atClient[type]) ?? phrases[type],
  state: (state: string) => states[state] ?? state,
  failedWith: (state: string, code: string) => `${states[state] ?? state}: ${code.replaceAll('_', ' ')}`,
  more: 'Show older',
  list: 'What happened',
  newer: 'Much has happened meanwhile',
  showNewer: 'Go to the newest',
  skill: (name: string) => `skill ${name}`,
  snapshot: 'changed the site',
  client: (name: string) => `from ${name}`,
};

export const filters = {
  title: 'Filters',
  open: (count: number) => (count === 0 ? 'Filters' : `Filters (${count})`),
  clear: 'Clear',
  any: 'any',
  kind: 'Kind',
  kinds: {
    calls: 'Calls of tools',
    decisions: 'Approvals and elevations',
    access: 'Sign-ins, keys, settings',
    record: 'The record itself',
  } as Record<string, string>,
  time: 'Time',
  times: { '1h': 'Last hour', '24h': 'Last 24 hours', '7d': 'Last 7 days', '30d': 'Last 30 days' } as Record<
    string,
    string
  >,
  actor: 'Agent',
  person: 'Person',
  personHint: 'also with their keys',
  site: 'Site',
  deployment: 'The deployment itself',
  decision: 'Decision',
  decisions: { allow: 'Allowed', person: 'Needed a person', deny: 'Refused' } as Record<string, string>,
  outcome: 'Outcome',
  outcomes: { succeeded: 'Done', failed: 'Failed', denied: 'Refused', aborted: 'Given up' } as Record<string, string>,
  tool: 'Tool',
  toolHint: 'its name, such as publish',
  skill: 'Skill',
  snapshot: 'Snapshot',
  apply: 'Look',
};

export const exportTexts = {
  title: 'Export',
  text: 'What the filters show, at most 100,000 entries, newest first. That you took it is recorded, too.',
  csv: 'CSV, for a spreadsheet',
  jsonl: 'JSON Lines, for programs',
};

export const record = {
  title: 'Is the record whole?',
  text: 'Each line holds the hash of the one before it, and signed checkpoints testify to where it stood. Verifying recomputes all of it.',
  whole: (by: string | undefined) => `It was whole when ${by ?? 'somebody'} verified it`,
  broken: 'It was changed or is incomplete',
  never: 'It was not verified here yet.',
  counts: (events: number, chains: number) =>
    `${events.toLocaleString('en')} lines in ${chains === 1 ? '1 chain' : `${chains} chains`}`,
  checkpoint: 'last signed checkpoint',
  unsigned: (count: number) =>
    count === 0
      ? 'every line is behind one'
      : `${count.toLocaleString('en')} ${count === 1 ? 'line' : 'lines'} after it`,
  noCheckpoint: 'no checkpoint is signed yet',
  checked: (checkpoints: number) => (checkpoints === 1 ? '1 checkpoint held' : `${checkpoints} checkpoints held`),
  verify: 'Verify now',
  verifying: 'It is being recomputed. The result appears here by itself.',
  problem: (chain: string, seq: number) => `Chain ${chain}, line ${seq}`,
  next: 'Tell whoever runs this deployment, and do not repair anything by hand: they compare it with the checkpoint files outside the database.',
};

export const story = {
  windowTitle: 'One call',
  back: 'All activity',
  happened: 'What happened',
  facts: {
    agent: 'Agent',
    person: 'Person',
    owner: 'Works for',
    client: 'Client',
    site: 'Site',
    tool: 'Tool',
    skill: 'Under the skill',
    noSkill: 'none declared',
    mode: 'Mode',
    rule: 'Rule',
    call: 'Call',
    snapshot: 'Snapshot',
    scopes: 'Rights used',
  },
  steps: {
    attempted: (rule: string) => `Allowed by the rule ${rule}, and started`,
    read: (rule: string) => `Allowed by the rule ${rule}, and read`,
    deny: (rule: string) => `Refused by the rule ${rule}`,
    person: (rule: string) => `A person has to decide, by the rule ${rule}`,
    stored: 'Answered with what the approved call had given before',
    succeeded: 'Done',
    failed: (code: string) => `Failed: ${code}`,
    aborted: 'Given up; nothing was applied',
    took: (ms: number) => (ms < 1000 ? `in ${Math.max(1, Math.round(ms))} ms` : `in ${(ms / 1000).toFixed(1)} s`),
  },
  targets: (count: number) => (count === 1 ? 'It changed 1 node' : `It changed ${count} nodes`),
  rev: (before: number | undefined, after: number | undefined) =>
    before === undefined
      ? `new, rev ${after}`
      : after === undefined
        ? `gone, was rev ${before}`
        : `rev ${before} → ${after}`,
  note: 'What the agent said about it',
  approval: 'The approval',
  approvalLink: 'See the whole request',
  noApproval: 'The request is not yours to see, or is no longer kept.',
  changes: 'What it changed',
  showChanges: 'Show the changes',
  history: 'See it in the history of the site',
  noChanges: 'Nothing that can be shown side by side.',
  moreChanges: 'There is more than is shown here; the history of the site has all of it.',
  arguments: 'What it was told to do',
  argumentsText: 'The arguments as they are in the record. Only auditors see them.',
  argumentsHidden: 'What a call was told to do is for auditors to see.',
  missing: {
    title: 'This call is not in the record that you may see',
    text: 'It may be another’s, or of a time that is no longer kept.',
  },
};
