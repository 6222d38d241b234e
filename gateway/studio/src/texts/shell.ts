export const shell = {
  navigation: 'Main',
  waiting: (count: number) => `${count} waiting`,
  signOut: 'Sign out',
  confirmCall: {
    title: 'This is what it does',
    confirm: 'Do it',
    another: 'The rules of this site want another person to approve it. It waits under Approvals.',
  },
  notFound: {
    title: 'There is nothing here',
    text: 'The address may be mistyped, or what it led to is gone.',
    action: 'Go to Approvals',
  },
  reauthenticate: {
    title: 'Is it still you?',
    text: 'This decision always needs a person. Enter your password once more; it counts for ten minutes.',
    password: 'Password',
    action: 'Continue',
    with: (name: string) => `Use ${name} instead, and decide again after`,
  },
};

export const navigation = {
  approvals: 'Approvals',
  agents: 'Agents',
  activity: 'Activity',
  sites: 'Sites',
  people: 'People',
  account: 'Account',
};

export const roles = {
  owner: 'owner',
  editor: 'editor',
  reviewer: 'reviewer',
  auditor: 'auditor',
};
