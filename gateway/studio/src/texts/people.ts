import type { Role } from '@cloudhal/shared/policy';

/** What each role may do, in a sentence. */
const roleTexts: Record<Role, { name: string; text: string }> = {
  owner: { name: 'Owner', text: 'Everything: people, agents, site rules, and all content.' },
  editor: { name: 'Editor', text: 'All content and publishing; decides what agents ask.' },
  reviewer: { name: 'Reviewer', text: 'Reads and previews; approves edits and publishes.' },
  auditor: { name: 'Auditor', text: 'Reads everything, also the full arguments in the record. Changes nothing.' },
};

export const people = {
  title: 'People',
  lead: 'Who belongs to this deployment, and what each may do. Agents never have more than the person they work for.',
  roles: roleTexts,
  you: 'you',
  local: 'at this machine',
  since: 'here since',
  role: (name: string) => `Role of ${name}`,
  invite: 'Invite somebody',
  remove: 'Remove',
  removeDialog: {
    title: (name: string) => `Remove ${name}?`,
    text: 'Their account, their sessions and their agents’ keys end at once. What they wrote and decided stays in the record.',
    action: 'Remove',
  },
  inviteDialog: {
    title: 'Invite somebody',
    text: 'You get a link that works once, for seven days. Whoever follows it makes their account.',
    role: 'Role',
    email: 'E-mail address (optional)',
    emailHint: 'The link is sent there if this deployment sends mail; with single sign-on, the address is enough.',
    action: 'Make the link',
  },
  invited: {
    title: 'Here is the link',
    text: 'It is shown this once. Send it to one person: whoever has it can join.',
    mailed: 'It was also sent by mail.',
    link: 'Link',
  },
  invitations: 'Open invitations',
  invitedBy: 'invited by',
  ends: 'ends',
  anyone: 'whoever has the link',
  withdraw: 'Withdraw',
  onlyOwners: 'Owners invite people and change roles.',
};

export const account = {
  title: 'Account',
  lead: (name: string, role: string) => `You are signed in as ${name}, ${role}.`,
  local: 'Studio runs without sign-in on this machine: whoever uses it acts as its owner.',
  look: { title: 'Appearance', theme: 'Theme', system: 'As the system', light: 'Light', dark: 'Dark' },
  password: {
    title: 'Password',
    text: 'A new password ends your sessions everywhere else.',
    current: 'Present password',
    next: 'New password',
    hint: 'At least 12 characters.',
    action: 'Change the password',
    done: 'Your password is changed.',
  },
  sso: {
    title: 'Single sign-on',
    text: (name: string) => `Sign in with ${name} instead of a password from now on.`,
    action: (name: string) => `Connect ${name}`,
  },
  sessions: {
    title: 'Where you are signed in',
    text: 'If you do not know one of these, end it and change your password.',
    thisOne: 'this one',
    unknown: 'An unknown browser',
    from: 'from the network',
    since: 'since',
    end: 'End',
    endOthers: 'End all others',
  },
  leave: {
    title: 'Leave this deployment',
    text: 'Your account, your sessions and your agents’ keys end. An owner can invite you again.',
    action: 'Leave…',
    dialog: 'Leave for good?',
    confirm: 'Leave',
  },
  /** A browser in the words that its owner knows. */
  browser: (userAgent: string) => {
    const browser = /(Edg|OPR|Firefox|Chrome|Safari)\//.exec(userAgent)?.[1];
    const system = /(Windows|Android|iPhone|iPad|Mac OS|Linux)/.exec(userAgent)?.[1];
    if (browser === undefined) return undefined;
    const name = { Edg: 'Edge', OPR: 'Opera' }[browser] ?? browser;
    return system === undefined ? name : `${name} on ${system}`;
  },
};
