import type { Approval } from '../api/approvals.ts';

const states: Record<string, string> = {
  pending: 'Waiting',
  approved: 'Approved, not used yet',
  consumed: 'Running',
  succeeded: 'Approved and done',
  failed: 'Approved, but it failed',
  aborted: 'Approved, but given up without effect',
  rejected: 'Rejected',
  expired: 'Expired',
  stale: 'Overtaken by a change',
  withdrawn: 'Withdrawn by the agent',
  revoked: 'Stopped, or ended with the agent’s key',
};

/** What these ask for may come yet. */
const stillOpen = new Set(['pending', 'approved', 'consumed']);
const atClient = 'at the agent’s own client';

export const approvals = {
  title: 'Approvals',
  lead: 'What agents ask before they do it. What waits here has not happened.',
  tabs: { label: 'Kinds of approvals', waiting: 'Waiting', decided: 'Decided', elevations: 'More autonomy' },
  empty: {
    title: 'Nothing waits for you',
    text: 'When an agent wants to do something that needs a person, it appears here by itself, with exactly what would change.',
  },
  emptyDecided: {
    title: 'Nothing was decided yet',
    text: 'What you and others approve or reject stays here, with who decided and what came of it.',
  },
  state: (state: string) => states[state] ?? state,
  alwaysPerson: 'Always a person',
  for: 'for',
  asked: 'asked',
  expires: 'Waits until',
  ends: 'ends',
  back: 'All approvals',
  facts: {
    agent: 'Agent',
    owner: 'Works for',
    site: 'Site',
    skill: 'Under the skill',
    mode: 'Mode',
    tool: 'Tool',
    asked: 'Asked',
    until: 'Waits until',
    decided: 'Decided',
    noSkill: 'none declared',
  },
  why: 'Why it needs a person',
  what: (state: string) =>
    state === 'succeeded' ? 'What happened' : stillOpen.has(state) ? 'What will happen' : 'What was asked',
  changes: 'What changes',
  decide: 'Your decision',
  runs: 'Approving runs it at once, as the agent, with exactly what is shown here.',
  approve: 'Approve and run',
  reject: 'Reject',
  mayNot: 'Your role reads this and does not decide it. An owner or an editor can.',
  rejectDialog: {
    title: 'Reject this?',
    text: 'Nothing changes. The agent is told, with your reason, and may ask for something else.',
    reason: 'Reason for the agent (optional)',
    action: 'Reject',
  },
  outcome: {
    ran: 'Done. The agent gets the result when it asks again.',
    changedNothing: 'Done. It changed nothing.',
    snapshot: (id: string) => `Snapshot ${id}: it can be rolled back to before.`,
    history: 'See it in the history',
    rejected: 'Rejected. Nothing was changed, and the agent is told.',
    askedAgain: 'The site moved on since this was asked, so nothing was run. What it would do now is a new request.',
    seeNew: 'Look at the new request',
    warnings: 'Worth knowing',
    next: 'Next one that waits',
    all: 'Back to what waits',
  },
  atClient,
  decidedBy: (state: string, name: string, via: string | undefined) =>
    `${state}, by ${name}${via === undefined || via === 'studio' ? '' : ` ${atClient}`}`,
  closed: (approval: Approval) =>
    ({
      expired: 'Nobody decided in time, so it ended. Nothing was changed. The agent can ask again.',
      stale:
        'What it was asked for changed in the meantime, so it no longer holds. The agent can ask again with a fresh look.',
      withdrawn: 'The agent no longer needs it.',
      revoked: 'A person stopped it, or it went with the agent’s key, which was ended or changed.',
      failed: 'It was approved, and then could not be done. Nothing was changed.',
      aborted: 'It was approved, and given up before it took effect.',
      consumed: 'It runs right now.',
    })[approval.state],
  rejectReason: 'Reason given',
  preview: {
    show: 'Preview',
    hide: 'Hide the preview',
    title: 'Preview of the draft',
    frame: 'The page as it would look',
  },
  select: (title: string) => `Choose ${title}`,
  chosen: (count: number) => `${count} chosen`,
  approveChosen: 'Approve',
  rejectChosen: 'Reject',
  clear: 'Clear',
  many: {
    title: (count: number) => (count === 1 ? 'Approve this one?' : `Approve these ${count}?`),
    text: 'They run one after the other, each only if nothing moved since it was asked.',
    action: 'Approve and run',
    rejectTitle: (count: number) => (count === 1 ? 'Reject this one?' : `Reject these ${count}?`),
    done: 'done',
    rejected: 'rejected',
    askedAgain: 'moved on, asked again',
  },
  list: (count: number) => (count === 1 ? '1 request' : `${count} requests`),
};

export const elevations = {
  lead: 'An agent may ask to do more by itself for a while. You can grant less than it asks, for a shorter time, and end it whenever you like.',
  empty: {
    title: 'No agent has more autonomy than its key',
    text: 'When an agent asks for a more autonomous mode, the request appears here with its reason.',
  },
  requests: 'Requests',
  active: 'Active now',
  asks: (mode: string, minutes: number) => `asks for ${mode} for ${duration(minutes)}`,
  has: (mode: string) => `works in ${mode}`,
  left: (minutes: number) => `${duration(minutes)} left`,
  ending: 'ends now',
  on: 'on',
  allSites: 'all its sites',
  tools: 'only',
  reason: 'Its reason',
  grant: 'Grant…',
  refuse: 'Refuse',
  end: 'End now',
  dialog: {
    title: 'Grant more autonomy',
    text: 'It ends by itself. While it holds, the agent asks less; what always needs a person still does.',
    mode: 'Mode',
    minutes: 'For how long',
    action: 'Grant',
    asAsked: 'as asked',
  },
  duration,
};

function duration(minutes: number): string {
  if (minutes < 1) return 'less than a minute';
  if (minutes < 60) return minutes === 1 ? '1 minute' : `${minutes} minutes`;
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  const whole = hours === 1 ? '1 hour' : `${hours} hours`;
  return rest === 0 ? whole : `${whole} ${rest} min`;
}
