export const approvals = {
  title: 'Approvals',
  lead: 'What agents ask before they do it. Nothing here has happened yet.',
  empty: {
    title: 'Nothing waits for you',
    text: 'When an agent wants to do something that needs a person, it appears here by itself, with exactly what would change.',
  },
};
