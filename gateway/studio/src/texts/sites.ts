import type { CommentStatus, RejectReason } from '../api/comments.ts';
import type { Status } from '../api/content.ts';
import type { Refusals } from '../api/errors.ts';
import type { Track } from '../api/history.ts';
import { times } from './common.ts';

const counted = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** Where something new cannot have the address that was asked for. */
export const addresses = {
  refusals: {
    validation_failed: ({ path }) =>
      path === 'slug'
        ? {
            message: 'The address cannot be used.',
            next: 'Choose another one, of lower-case Latin letters, digits and hyphens. Some words are taken by the site itself.',
          }
        : undefined,
    slug_taken: () => ({ message: 'The address is taken already.', next: 'Choose another one.' }),
  } satisfies Refusals as Refusals,
};

export const sites = {
  title: 'Sites',
  lead: 'What readers see, what waits to be published, and all that happened.',
  list: 'Sites of this deployment',
  empty: {
    title: 'There is no site yet',
    text: 'A site holds pages and articles at an address of its own. An owner makes it here; agents and people then fill it.',
  },
  back: 'All sites',
  live: 'Open the site',
  fresh: {
    action: 'New site',
    title: 'Make a site',
    text: 'It starts empty. Agents whose keys reach all sites can work on it at once; the others cannot.',
    name: 'Name',
    slug: 'Address',
    slugHint: 'Lower-case Latin letters, digits and hyphens. It stands in the address of every page and stays.',
    locales: 'Languages',
    localesHint: 'Such as en, de. The first is the main one.',
    make: 'Make the site',
    refusals: (locales: readonly string[]): Refusals => ({
      ...addresses.refusals,
      validation_failed: (details) => {
        const [path, index] = /^(?:set\.addL|l)ocales(?:\[(\d+)\])?$/.exec(String(details.path)) ?? [];
        if (path === undefined) return addresses.refusals.validation_failed?.(details);
        const odd = locales[Number(index)];
        return {
          message: odd === undefined ? 'A site needs a language.' : `“${odd}” cannot be one of the languages.`,
          next: 'Write the tag of each language once, such as en, de or pt-BR.',
        };
      },
    }),
  },
  tabs: {
    label: 'Parts of the site',
    entries: 'Entries',
    pages: 'Pages',
    releases: 'Releases',
    media: 'Media',
    comments: 'Comments',
    history: 'History',
    trash: 'Trash',
    settings: 'Settings',
    rules: 'Rules',
  },
  status: (status: Status) =>
    ({ draft: 'Draft', published: 'Published', changed: 'Changed since', trash: 'In the trash' })[status],
  mayNotChange: 'Your role reads this. An owner or an editor can change it.',
  more: 'Show more',
};

export const entries = {
  type: 'Type',
  status: 'State',
  allStatuses: 'Any state',
  search: 'Title contains',
  found: (count: number, more: boolean) => `${more ? 'More than ' : ''}${counted(count, 'entry', 'entries')}`,
  changed: 'changed',
  imported: 'Imported, not looked at',
  untitled: 'Without a title',
  empty: {
    title: 'Nothing is written yet',
    text: 'Write the first one here, or let an agent write it: what it makes appears in this list as a draft, and nothing is public until it is published.',
  },
  none: { title: 'Nothing like that', text: 'No entry has this state and these words in its title.' },
  fresh: {
    action: 'New entry',
    title: 'Start a new entry',
    text: 'It is a draft that readers do not see.',
    name: 'Title',
    slug: 'Address',
    slugHint: 'Lower-case Latin letters, digits and hyphens.',
    language: 'Language',
    make: 'Start writing',
  },
  page: {
    back: 'All entries',
    body: 'Text',
    bodyHint: 'Markdown: # for a heading, a blank line between paragraphs, [words](address) for a link.',
    untrusted: 'This came from outside, and nobody has looked at it yet. Saving it says that you did.',
    embargo: 'Under embargo until',
    save: 'Save the draft',
    saved: 'Saved. Readers see it once it is published.',
    unsaved: 'Not saved yet',
    again: 'Something else of it changed in the meantime, so nothing was saved. Save again.',
    discard: 'Discard my changes',
    publish: 'Publish…',
    unpublish: 'Take off the site…',
    preview: 'Preview',
    history: 'History',
    facts: { address: 'Address', language: 'Language', rev: 'Revision', status: 'State' },
    notEditable: 'Only agents change this field; it is no plain text.',
    lines: 'One on each line.',
    bylines: 'Bylines',
    bylinesHint: 'Who wrote it, in the order in which readers see them.',
    hidden: (count: number) =>
      `${counted(count, 'character', 'characters')} of it cannot be seen: direction marks, zero width spaces and the like.`,
    number: 'A number is wanted here.',
    leave: 'You have changes that are not saved.',
  },
  conflict: {
    title: 'Somebody else changed this in the meantime',
    text: 'Nothing of theirs is overwritten, and nothing of yours is lost. Look at what they did, then say how to go on.',
    by: 'Changed by',
    with: 'with',
    theirs: 'What they changed',
    yours: 'What you changed',
    nothing: 'Nothing that is shown here.',
    both: 'Put my changes into theirs',
    bothText: 'You changed different parts, so both fit.',
    mine: 'Keep my text in place of theirs',
    clash: 'You both changed the same part. Where that is so, one of the two has to give way.',
    take: 'Take theirs and drop mine',
    after: 'Both are in the form now. Look it over, and save.',
    afterMine: 'Your text stands where both had changed it. Look it over, and save.',
  },
};

export const publishing = {
  title: 'What readers will see',
  loading: 'Looking at what would change',
  nothing: 'Readers see this already: there is nothing to publish.',
  problems: 'Worth a look before',
  embargoed: 'Held back by an embargo',
  until: 'until',
  action: (count: number) => `Publish ${counted(count, 'change', 'changes')}`,
  done: (count: number) => `Published: ${counted(count, 'change', 'changes')}. Readers see it now.`,
  cut: 'Only the first of the changes are shown; all of them are published.',
  off: {
    title: 'Take this off the site?',
    text: 'Readers get “not found” at its address. The draft stays, and can be published again.',
    action: 'Take it off',
    done: 'Readers no longer see it.',
  },
};

export const preview = {
  show: 'Preview',
  title: 'Preview of the draft',
  frame: 'The page as it would look',
};

export const pages = {
  list: 'Pages',
  publishAll: 'Publish all that changed…',
  publish: 'Publish…',
  changed: 'changed',
  empty: {
    title: 'There are no pages yet',
    text: 'Pages are what stands still on a site: a home page, “about us”, contact. Make them here, or let an agent make them; their drafts appear here to be looked at and published.',
  },
};

const moment = new Intl.DateTimeFormat(times.locale, { dateStyle: 'full', timeStyle: 'long' });

/** What is wrong with what was asked of a release, by the argument. */
const invalid: Record<string, { message: string; next: string }> = {
  at: {
    message: 'It cannot go live at this date and time.',
    next: 'Choose one that is still to come, within five years. Where clocks change in that night, they skip an hour or show it twice: choose another hour.',
  },
  timeZone: {
    message: 'There is no time zone of that name.',
    next: 'Name a place by its part of the world and its city, such as Europe/Berlin.',
  },
  release: {
    message: 'There is nothing to be done with this release as it is now.',
    next: 'Close this, and look at the list of releases as it is now.',
  },
  ...Object.fromEntries(
    ['items', 'add', 'remove'].map((argument) => [
      argument,
      {
        message: 'Something cannot be in a release in the way that you chose, so nothing was saved.',
        next: 'What is in the trash can only go off the site, and what every page needs cannot. Choose anew, or take it out.',
      },
    ]),
  ),
};

export const releases = {
  calendar: 'Calendar',
  others: 'Not scheduled',
  past: 'What went live, or did not',
  states: { open: 'Open', scheduled: 'Scheduled', released: 'Went live', refused: 'Did not go live' },
  items: (count: number) => counted(count, 'item', 'items'),
  conflicts: (count: number) => counted(count, 'conflict', 'conflicts'),
  actions: {
    change: 'Change…',
    schedule: 'Schedule…',
    publish: 'Publish now…',
    unschedule: 'Take back…',
    delete: 'Delete…',
  },
  plan: {
    title: 'When readers see it',
    nothing: 'This release changes nothing for readers.',
    conflicts: 'In the way',
    at: 'Date and time',
    zone: 'Time zone',
    zoneHint: 'The clock that is meant, such as Europe/Berlin.',
    text: 'Exactly this goes live then. If somebody changes one of these drafts before, nothing does, and this page says so.',
    action: 'Schedule it',
  },
  off: {
    title: 'Take this schedule back?',
    text: 'It does not go live at its time. What is in it stays, and can be scheduled again.',
    action: 'Take it back',
  },
  by: 'by',
  previous: 'Month before',
  next: 'Month after',
  weekdays: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  empty: {
    title: 'No release is planned',
    text: 'A release is a set of drafts that go live together at a time. Make one here, or let an agent make it; you see what it changes, and schedule or publish it.',
  },
  noneThisMonth: 'Nothing goes live in this month.',
  fresh: {
    action: 'New release',
    title: 'Start a new release',
    text: 'It gathers what goes live together. Readers see nothing of it until it is published, or its time has come.',
    name: 'Title',
    note: 'What it is for',
    noteHint: 'Kept with it; may be empty.',
    make: 'Make the release',
  },
  change: {
    title: 'What is in this release',
    save: 'Save the release',
  },
  parts: {
    find: 'Find what goes in',
    search: 'Words of a page or an entry',
    changed: 'What readers see otherwise, or not yet',
    found: 'Pages and entries with these words',
    noneChanged: 'Readers see all as it is. Find other parts by their words.',
    noneFound: 'No page or entry has these words.',
    inside: (count: number) => `In the release: ${counted(count, 'item', 'items')}`,
    none: 'Nothing yet.',
    take: (name: string) => `Take out: ${name}`,
    becomes: (name: string) => `What becomes of it: ${name}`,
    follows: 'Follows its draft',
    now: (rev: number) => `As it is now (revision ${rev})`,
    pinned: (rev: number) => `As revision ${rev}`,
    off: 'Goes off the site',
  },
  delete: {
    title: 'Delete this release?',
    text: 'What is in it stays as it is, and goes live on its own only if somebody publishes it. The history can bring the release back.',
    action: 'Delete it',
  },
  refusals: {
    rev_conflict: () => ({
      message: 'Somebody changed this release in the meantime, so nothing was done.',
      next: 'You see it as it is now. Look it over, and do it again.',
    }),
    digest_moved: () => ({
      message: 'Somebody changed what is in it while you looked, so nothing was scheduled.',
      next: 'You see what it changes now. Look it over, and do it again.',
    }),
    release_conflict: () => ({
      message: 'It cannot go live as it is, so nothing was scheduled.',
      next: 'What is in the way is listed here. Change that or what is in the release, and do it again.',
    }),
    embargoed: ({ until }) => ({
      message: 'Something in it is under an embargo at that time, so nothing was scheduled.',
      next: `Choose a time after ${moment.format(new Date(String(until)))}, or take it out of the release.`,
    }),
    in_use: () => ({
      message: 'It is scheduled by now, so nothing was done.',
      next: 'Take the schedule back first; then it can be changed.',
    }),
    not_found: () => ({
      message: 'The release, or something in it, is not there any more.',
      next: 'Close this, and look at the list of releases as it is now.',
    }),
    limit_exceeded: () => ({
      message: 'That is more than one release can hold.',
      next: 'Take something out, or make a second release.',
    }),
    validation_failed: ({ path }) => invalid[String(path).replace(/[[.].*/, '')],
  } satisfies Refusals as Refusals,
};

export const media = {
  search: 'Name, description or credit contains',
  missing: 'Only pictures without a description',
  list: 'Pictures and files',
  add: {
    action: 'Add a file…',
    title: 'Add a file',
    drop: 'Drop a picture or a PDF here, or choose one.',
    others: (count: number) =>
      `Files are added one at a time, and this is the first. Drop the other${count === 1 ? '' : ` ${count}`} again after it.`,
    choose: 'Choose a file…',
    sending: 'How much of it is sent',
    send: 'Add it',
  },
  describe: 'Describe…',
  change: 'Change…',
  dialog: {
    title: 'What is said of it',
    language: 'Language of the description',
    text: 'Read aloud to who cannot see the picture.',
    decorates: (locale: string) => `It only decorates: nothing is read aloud (${locale})`,
    replaced: 'In place of',
    isThere: 'The same file is here already:',
    isThereNext: 'Nothing is changed yet.',
    isThereWritten: 'What you wrote is below; save it to put it in place of what is said of that file.',
    overtaken:
      'Somebody else changed this in the meantime, so what you wrote is not saved yet. It is below, beside what they wrote: look it over, and save.',
    alt: (locale: string) => `Description (${locale})`,
    credit: 'Who made it',
    licence: 'Licence, such as CC BY 4.0',
  },
  none: { title: 'Nothing like that', text: 'No file has these words in its name, description or credit.' },
  uses: (count: number) => (count === 0 ? 'not used' : `used ${counted(count, 'time', 'times')}`),
  noAlt: 'No description',
  empty: {
    title: 'There are no pictures or files yet',
    text: 'Add one here, or let an agent upload it or fetch it from a public address, with a description for who cannot see it.',
  },
};

export const comments = {
  status: 'State',
  states: {
    pending: 'Waiting',
    approved: 'Shown',
    rejected: 'Hidden',
    spam: 'Spam',
  } satisfies Record<CommentStatus, string>,
  reader: 'a reader',
  wrote: 'wrote',
  under: 'Go to the entry',
  suggestion: (decision: string) => `An agent suggests: ${decision}`,
  because: 'Because',
  approve: 'Show to readers',
  hide: 'Hide',
  why: 'Why it is hidden',
  signs: 'Looks like spam',
  official: 'An answer of the site',
  erased: 'Its text was erased.',
  reasons: {
    other: 'No reason given',
    abuse: 'Abuse',
    off_topic: 'Off topic',
    personal_data: 'Personal data',
    duplicate: 'Said before',
    spam: 'Spam',
  } satisfies Record<RejectReason, string>,
  approved: 'Readers see it now.',
  hidden: 'Readers do not see it. It can be taken back within 30 days.',
  emptyPending: {
    title: 'No comment waits',
    text: 'What readers write under entries waits here until a person shows it. An agent may suggest what to do; it never decides.',
  },
  empty: { title: 'There are none', text: 'No comment is in this state.' },
};

/** What a tool did, to who reads the history. */
const done: Record<string, string> = {
  create_site: 'The site was made',
  update_site: 'The site’s settings were changed',
  propose_content_type: 'A content type was made or changed',
  create_entry: 'A new entry',
  duplicate_entry: 'A copy of an entry',
  update_entry: 'An entry was changed',
  edit_body: 'A text was changed',
  patch_draft: 'A text was changed',
  delete_entry: 'An entry went to the trash',
  bulk_update_entries: 'Several entries were changed',
  import_entries: 'Entries were imported',
  restore_node: 'Something was brought back',
  add_correction: 'A correction was added',
  save_translation: 'A translation was saved',
  delete_translation: 'A translation went to the trash',
  propose_person: 'A person for bylines was added or changed',
  propose_term: 'A term was added or changed',
  assign_terms: 'Terms of entries were changed',
  create_page: 'A new page',
  update_page: 'A page was changed',
  move_page: 'A page got another address',
  delete_page: 'A page went to the trash',
  add_section: 'A section was added',
  update_section: 'A section was changed',
  move_section: 'A section was moved',
  remove_section: 'A section was taken out',
  upload_asset: 'A file was added',
  fetch_asset_url: 'A file was fetched from an address',
  update_asset: 'What is said of a file was changed',
  delete_asset: 'A file went to the trash',
  add_redirect: 'Redirects were added',
  update_redirect: 'A redirect was changed',
  delete_redirect: 'Redirects were deleted',
  set_menu: 'A menu was changed',
  set_design: 'The design was changed',
  set_chrome: 'Header or footer was changed',
  publish: 'Published',
  unpublish: 'Taken off the site',
  set_embargo: 'An embargo was set',
  lift_embargo: 'An embargo was lifted',
  create_release: 'A new release',
  set_release_items: 'What is in a release was changed',
  schedule_release: 'A release was scheduled',
  unschedule_release: 'A schedule was taken back',
  delete_release: 'A release went to the trash',
  create_snapshot: 'A restore point was made',
  rollback: 'Gone back to an earlier state',
  undo_change: 'A change was undone',
  approve_comments: 'Comments were shown to readers',
  reject_comments: 'Comments were hidden',
  reply_to_comment: 'A comment was answered',
  delete_comment: 'A comment was erased',
  suggest_comment_decisions: 'Suggestions for comments',
};

export const history = {
  labelled: 'Only restore points',
  ofOne: 'Only what changed this one.',
  linked: 'Only this one change.',
  ofAll: 'Show all that happened',
  list: 'Snapshots, newest first',
  by: 'by',
  nodes: (count: number) => counted(count, 'change', 'changes'),
  noNodes: 'no change of content',
  reason: (reason: string) => (reason === 'scheduledRelease' ? 'at its time' : undefined),
  tool: (tool: string) => done[tool] ?? tool.replaceAll('_', ' '),
  show: 'Changes',
  hide: 'Hide',
  undo: 'Undo…',
  back: 'Back to here…',
  under: 'under',
  unreadable: 'It changed nothing that is kept in snapshots, such as comments.',
  cut: 'Only the first of its changes are shown.',
  point: {
    action: 'Make a restore point',
    title: 'Make a restore point',
    text: 'It marks the site as it is now, so that you find it again. Nothing changes.',
    label: 'What it is called',
    make: 'Make it',
  },
  undoDialog: {
    title: 'Undo this one change?',
    text: 'The draft loses what this change brought; what came later stays. Readers see nothing of it until it is published.',
    action: 'Undo it',
    done: 'Undone, in the draft.',
    nothing: 'There was nothing left of it to undo.',
  },
  rollback: {
    title: 'Go back to this state',
    tracks: {
      live: 'What readers see',
      draft: 'The draft',
      both: 'Both',
    } satisfies Record<Track, string>,
    track: 'What goes back',
    live: 'As soon as you say so, readers see the site as it was then. What was written since stays in the draft and in the history.',
    draft: 'The draft becomes what it was then. Readers see no difference until something is published.',
    both: 'Readers see the site as it was then, and the draft becomes what it was, too. What was written since stays in the history alone.',
    forReaders: 'What changes for readers',
    forDraft: 'What changes in the draft',
    same: 'It is the same already: nothing changes.',
    cut: 'Only the first of the changes are shown.',
    reason: 'Why (kept in the history)',
    action: 'Go back to it',
    done: (count: number) =>
      `Done: ${counted(count, 'change', 'changes')}. This can be taken back as well: the state before is in the list.`,
    nothing: 'It was so already: nothing changed.',
  },
};

export const settings = {
  lead: 'What the site is called, what opens it, and which languages it speaks. Readers see a change once it is published.',
  title: 'Title',
  tagline: 'A line under the title',
  taglineHint: 'Shown where there is room for it.',
  homePage: 'Home page',
  homePageHint: 'What readers find at the address of the site.',
  noHomePage: 'No page: the list of entries',
  languages: 'More languages',
  languagesHint: (locales: readonly string[]) =>
    `There ${locales.length === 1 ? 'is' : 'are'} ${locales.join(', ')}. Add others, such as de or pt-BR; none is taken away again.`,
  save: 'Save the settings',
  saved: 'Saved in the draft. Publish it for readers to see it.',
  publish: 'Publish…',
};

export const rules = {
  lead: 'What agents may do by themselves on this site. Whatever always needs a person, needs one under every rule.',
  ownerOnly: 'An owner changes these rules.',
  window: 'Publishing hours',
  windowText: 'Within these hours an agent in the mode Auto may publish small changes by itself. Outside it asks.',
  always: 'At any time',
  hours: 'Only at these hours',
  days: 'Days',
  day: (day: number) =>
    ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'][day - 1] ?? String(day),
  from: 'From',
  to: 'Until',
  nextDay: 'An end that is not after the beginning is on the next day.',
  zone: 'Time zone',
  zoneHint: 'Such as Europe/Berlin. Summer time is taken into account.',
  small: 'Largest publish without a person',
  smallText: 'So many articles at once, and nothing but articles. 0: a person decides on every one.',
  attested: 'Who may say yes for a person',
  attestedOptions: {
    off: {
      label: 'The agent’s own client may ask its person',
      hint: 'Who approves is known only as far as the client says.',
    },
    'always-person': {
      label: 'Only here in Studio, for what always needs a person',
      hint: 'Everything else may be answered in the client.',
    },
    all: { label: 'Only here in Studio, for everything', hint: 'A signed-in person decides each request.' },
  },
  token: 'Clients that cannot ask may send a confirmation back',
  tokenHint: 'Without it, what such a client asks waits in Studio alone.',
  taint: 'Minutes of care after reading strangers’ text',
  taintHint:
    'So long a key that has read comments or imported text asks a person before it publishes or deletes. 0 switches this off.',
  four: 'Four eyes',
  fourHint: 'Whoever asked for something cannot approve it: another person has to.',
  save: 'Save the rules',
  saved: 'Saved. They hold from now on.',
  noDay: 'Choose at least one day, or no hours at all.',
};
