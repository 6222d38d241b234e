import type { Scope } from '@cloudhal/shared/policy';
import type { Toolset } from '@cloudhal/shared/tool';

export const agents = {
  title: 'Agents',
  lead: 'Each agent works with a key of its own. The key says what it reaches, how much it does by itself, and until when.',
  create: 'Connect an agent',
  empty: {
    title: 'No agent is connected yet',
    text: 'Make a key, paste the set-up into your client, and the agent starts to work within what you allow. You can change or end a key at any time, and it holds at once.',
  },
  list: (count: number) => (count === 1 ? '1 key' : `${count} keys`),
  ended: (count: number) => (count === 1 ? '1 key that ended' : `${count} keys that ended`),
  state: { active: 'Active', expired: 'Expired', revoked: 'Revoked', ownerless: 'Its owner left' } as Record<
    string,
    string
  >,
  warns: 'Two rights that do not go well together',
  neverUsed: 'never used',
  used: 'used',
  expires: 'ends',
  usage: (calls: number, denied: number) =>
    calls === 0
      ? 'no calls in 7 days'
      : `${calls.toLocaleString('en')} ${calls === 1 ? 'call' : 'calls'} in 7 days${denied > 0 ? `, ${denied.toLocaleString('en')} refused` : ''}`,
  allScopes: 'everything',
  scopeCount: (count: number) => (count === 1 ? '1 right' : `${count} rights`),
  allSites: 'all sites',
  siteCount: (count: number) => (count === 1 ? '1 site' : `${count} sites`),
  back: 'All agents',
  windowTitle: 'An agent’s key',
  ofOwner: (name: string) => `of ${name}`,
};

export const keyPage = {
  edit: 'Change',
  rotate: 'New secret',
  renew: 'Renew',
  expired: 'This key has ended, and its agent is refused. Renewed, it works on with a new secret.',
  revoke: 'Revoke',
  activity: 'See what it did',
  notYours: 'Your role reads this key and does not change it.',
  facts: {
    state: 'State',
    mode: 'Mode',
    scopes: 'Reaches',
    sites: 'Sites',
    toolsets: 'Lists',
    allTools: 'all tools that it may call',
    rate: 'At most',
    rateOf: (perMinute: number) => `${perMinute} calls a minute`,
    rateDefault: 'as many calls as the deployment allows',
    key: 'Key',
    owner: 'Works for',
    made: 'Made',
    used: 'Last used',
    expires: 'Ends',
    revoked: 'Revoked',
    previous: 'The secret before it is good until',
    usage: 'Last 7 days',
    denied: (denied: number, waited: number) => `${denied} refused, ${waited} waited for a person`,
  },
  rotateDialog: {
    title: 'Make a new secret?',
    text: 'The key stays the same: its rights, its history. Only its secret is new, and shown once.',
    overlap: 'The old secret',
    overlaps: {
      '0': 'ends at once',
      '1': 'stays good for an hour',
      '4': 'stays good for 4 hours',
      '24': 'stays good for a day',
    } as Record<string, string>,
    overlapHint: 'Time to put the new one into every client.',
    action: 'Make a new secret',
  },
  renewDialog: {
    title: 'Renew this key?',
    text: 'The key stays the same: its rights, its history. It gets a new end, and a new secret that is shown once; the old secret stays refused.',
    action: 'Renew',
  },
  revokeDialog: {
    title: 'Revoke this key?',
    text: 'The agent is refused within a second, everywhere, and its open requests end. A revoked key cannot be brought back; what it did stays in the record.',
    action: 'Revoke',
  },
};

export const outcomes = {
  title: 'What this key may do',
  text: 'Said by the policy itself, tool by tool, as it is right now.',
  wouldTitle: 'What such a key may do',
  wouldText: 'Said by the policy itself, as you choose.',
  none: 'Choose what it reaches, and you see here what it may do.',
  group: { allow: 'By itself', person: 'Asks a person', deny: 'Refused' },
  groupLabel: 'Outcome',
  count: (label: string, count: number) => `${label} (${count})`,
  search: 'Find a tool',
  nothing: 'No tool is among these.',
  tainted:
    'It has just read text from strangers: until that has worn off, what goes live or is deleted needs a person, and elevations are suspended.',
  elevated: (mode: string) => `Right now it works in the mode ${mode}, by an elevation.`,
  small: 'A small publish of articles runs by itself, inside the publishing window.',
  rule: 'Rule',
  list: 'Tools',
  see: 'See each tool',
};

export const keyForm = {
  newTitle: 'Connect an agent',
  newLead:
    'Give it a name, say what it reaches and how much it does by itself. Narrow keys are safer, and quick to make.',
  editTitle: 'Change the key',
  editLead: 'It holds at once, for calls that start from now on.',
  name: 'Name',
  nameHint: 'As people see it beside everything that it does, such as “Newsroom drafts”.',
  mode: 'What it does by itself',
  modeOwn: 'Keys of your role read and preview, and change nothing.',
  reach: 'What it reaches',
  presets: {
    label: 'Start from',
    write: { name: 'Write', text: 'Drafts of pages and articles, with pictures' },
    publish: { name: 'Write and publish', text: 'Drafts, and bringing them to readers' },
    moderate: { name: 'Moderate', text: 'Comments of readers' },
    read: { name: 'Read', text: 'Looks at everything, changes nothing' },
    all: { name: 'Everything', text: 'All rights, also future ones' },
  },
  everything: 'Everything, also what comes later',
  strangers:
    'This key would read comments, which strangers write, and could publish. Two keys, one for each, are safer: what a comment says then cannot reach a call that publishes.',
  sites: 'Sites',
  allSites: 'All sites, also new ones',
  someSites: 'Only these',
  more: 'Limits',
  expiry: 'Ends after',
  expiryKeep: 'stays as it is',
  days: (days: number) => (days === 1 ? '1 day' : days === 365 ? 'a year' : `${days} days`),
  rate: 'Calls a minute',
  rateDefault: 'as many as the deployment allows',
  rateOf: (perMinute: number) => `at most ${perMinute}`,
  toolsets: 'Tools that clients list',
  toolsetsHint:
    'For clients with limits. None chosen: all that the key may call. What is not listed can still be called.',
  action: 'Make the key',
  save: 'Save',
  nothingChosen: 'Choose at least one thing that it reaches.',
  noSite: 'Choose at least one site, or all.',
};

export const toolsetNames: Record<Toolset, string> = {
  core: 'Core',
  editorial: 'Editorial',
  media: 'Media',
  moderation: 'Moderation',
  i18n: 'Languages',
  design: 'Design',
  release: 'Releases',
  insight: 'Insight',
};

/** Rights in words, grouped by what they reach. */
export const scopeGroups: readonly { name: string; scopes: readonly (readonly [Scope, string])[] }[] = [
  {
    name: 'Content',
    scopes: [
      ['content:read', 'Read pages and articles'],
      ['content:write', 'Write and change drafts'],
      ['content:delete', 'Delete pages and articles'],
      ['media:read', 'See pictures and files'],
      ['media:write', 'Add and change pictures and files'],
      ['translations:write', 'Write translations'],
      ['taxonomy:write', 'Change categories and tags'],
      ['people:write', 'Propose author pages'],
    ],
  },
  {
    name: 'Readers',
    scopes: [
      ['comments:read', 'Read comments of readers'],
      ['comments:triage', 'Suggest what becomes of comments'],
      ['comments:moderate', 'Approve, reject and answer comments'],
      ['analytics:read', 'See what is read'],
    ],
  },
  {
    name: 'Going live',
    scopes: [
      ['preview', 'Make previews'],
      ['checks:run', 'Check pages before they go live'],
      ['publish', 'Publish and take back'],
      ['releases:read', 'See planned releases'],
      ['releases:write', 'Plan releases and embargoes'],
      ['snapshots:read', 'See the history'],
      ['snapshots:write', 'Undo and roll back'],
    ],
  },
  {
    name: 'The site itself',
    scopes: [
      ['site:read', 'See the site and its settings'],
      ['site:write', 'Change the settings of the site'],
      ['schema:read', 'See the content types'],
      ['schema:write', 'Change the content types'],
      ['design:read', 'See the design'],
      ['design:write', 'Change the design, header and footer'],
      ['menus:write', 'Change the menus'],
      ['redirects:read', 'See redirects'],
      ['redirects:write', 'Change redirects'],
    ],
  },
  {
    name: 'The record',
    scopes: [
      ['activity:read', 'See what it did itself'],
      ['activity:read-all', 'See what everybody did'],
    ],
  },
];

export const setup = {
  title: 'The key is made',
  rotatedTitle: 'The new secret',
  once: 'This is the only time that the secret is shown. Copy what you need before you go on.',
  secret: 'The secret',
  client: 'Your client',
  choose: 'Pick the client that the agent works in. The address and the key are filled in.',
  done: 'I have copied it',
  url: 'Address',
  header: 'Header',
  holdsKey: 'This file then holds the key: keep it out of version control.',
  check: 'Ask the agent to list its tools: it should name those of Cloudhal.',
  local:
    'This deployment runs at an address that only this machine reaches. Claude connects from outside, so it needs a deployment with a public address.',
  steps: {
    terminal: 'Run this in a terminal:',
    file: (path: string) => `Put this into ${path}:`,
    askedKey: 'VS Code asks for the key once and stores it safely. Paste this:',
    connectors: 'Open Settings › Connectors › Add custom connector, and fill in:',
    http: 'Any client that speaks streamable HTTP:',
    stdio: 'A client that cannot send headers starts a command instead:',
  },
};
