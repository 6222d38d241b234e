const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const corrections = new Map([
  ['correction', 'Correction'],
  ['clarification', 'Clarification'],
  ['update', 'Update'],
  ['retraction', 'Retraction'],
]);

const fields = new Map([
  ['seoTitle', 'Title for search engines'],
  ['seo.title', 'Title for search engines'],
  ['seoDescription', 'Description for search engines'],
  ['seo.description', 'Description for search engines'],
  ['seo.noindex', 'Search engines leave it out'],
]);

export const changes = {
  /** A field or member with a better name than its own. */
  field: (name: string): string | undefined => fields.get(name.replace(/^fields\./, '')),
  order: (list: string) => `The order of: ${list}`,
  correction: (kind: string, date: string) => {
    const name = corrections.get(kind) ?? 'Correction';
    return /^\d{4}-\d{2}-\d{2}$/.test(date) ? `${name} of ${day.format(new Date(date))}` : name;
  },
  changed: { added: 'New', removed: 'Removed', changed: 'Changed' },
  kindOn: (kind: string, track: 'draft' | 'live' | undefined) => {
    const name = kind.replaceAll('_', ' ');
    return track === undefined ? name : track === 'live' ? `${name}, as readers see it` : `${name}, in the draft`;
  },
  view: 'How the text is shown',
  reading: 'Reading',
  sides: 'Side by side',
  lines: 'Lines',
  text: 'Changes of the text',
  before: 'Before',
  after: 'After',
};

/** What agents may do on their own, from least to most. */
export const modes = {
  plan: { name: 'Plan', text: 'Reads and previews; changes nothing.' },
  manual: { name: 'Manual', text: 'Asks a person before every change.' },
  edits: { name: 'Edits', text: 'Edits drafts by itself; asks before anything goes live or is deleted.' },
  auto: { name: 'Auto', text: 'Also publishes small changes by itself, inside the publishing window.' },
  bypass: { name: 'Bypass', text: 'On this machine only: does all but what always needs a person.' },
} as const;
