/** Words that every page uses. */
export const common = {
  product: 'Cloudhal Studio',
  brand: 'Cloudhal',
  /** Of the window: a tab in the background says how many approvals wait. */
  windowTitle: (page: string, waiting: number) => `${waiting > 0 ? `(${waiting}) ` : ''}${page} · Cloudhal`,
  skip: 'Skip to the content',
  loading: 'Loading',
  working: 'Working',
  retry: 'Try again',
  reload: 'Reload the page',
  cancel: 'Cancel',
  close: 'Close',
  save: 'Save',
  saved: 'Saved.',
  showAll: (characters: number) => `Show all ${characters.toLocaleString('en')} characters`,
  showLess: 'Show less',
  quoted: 'Quoted text',
  hiddenCharacter: (name: string) => `hidden character: ${name}`,
  nobody: 'nobody',
  copy: 'Copy',
  copied: 'Copied',
  more: 'Show more',
  nothingFound: 'Nothing is called so.',
};

export const errors = {
  title: 'That did not work',
  offline: {
    message: 'Studio could not reach the server.',
    next: 'Check your connection. What you were doing may or may not have happened: look before you try again.',
  },
  unreadable: (status: number) => ({
    message: `The server gave an answer that Studio cannot read (${status}).`,
    next: 'Reload the page. If it stays so, tell whoever runs this deployment.',
  }),
  unexpected: {
    message: 'Studio ran into a fault of its own.',
    next: 'Reload the page. Nothing that you decided before is lost.',
  },
  newVersion: {
    message: 'A newer version of Studio is there.',
    next: 'Reload the page to continue with it.',
  },
  callId: (id: string) => `Call ${id}`,
};

export const times = {
  now: 'just now',
  locale: 'en',
};
