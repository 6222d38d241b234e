export const changes = {
  changed: { added: 'New', removed: 'Removed', changed: 'Changed' },
  kindOn: (kind: string, track: 'draft' | 'live' | undefined) =>
    track === undefined ? kind : track === 'live' ? `${kind}, as readers see it` : `${kind}, in the draft`,
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
