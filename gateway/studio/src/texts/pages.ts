import type { Kind } from '../api/trash.ts';

const counted = (count: number, one: string, many: string) => `${count} ${count === 1 ? one : many}`;

/** What a page is made of, and what is said of it. */
export const page = {
  back: 'All pages',
  untitled: 'Without a title',
  embargo: 'Under embargo until',
  facts: {
    status: 'State',
    address: 'Address',
    language: 'Language',
    rev: 'Revision',
  },
  publish: 'Publish…',
  history: 'History',
  unpublish: 'Take off the site…',
  move: 'Change the address…',
  delete: 'Delete…',
  about: {
    title: 'Title and search engines',
    name: 'Title',
    seoTitle: 'Title for search engines',
    seoTitleHint: 'The title of the page where this is empty.',
    seoDescription: 'Description for search engines',
    noindex: 'Search engines leave it out',
  },
  fresh: {
    action: 'New page',
    title: 'Start a new page',
    text: 'It is a draft that readers do not see. What is on it comes next.',
    name: 'Title',
    under: 'Under',
    top: 'The top of the site',
    slug: 'Last part of its address',
    slugHint: 'Lower-case Latin letters, digits and hyphens.',
    make: 'Make the page',
  },
  moving: {
    title: 'Change the address of this page',
    text: 'Pages under it move along. Where readers know the old address, it leads to the new one once the page is published, and you are asked first.',
    action: 'Change the address',
  },
};

export const sections = {
  title: 'Sections',
  text: 'What the page is made of, from top to bottom.',
  list: 'Sections of this page',
  edit: 'Edit',
  show: 'Show',
  close: 'Close',
  unsaved: 'Not saved yet',
  up: (name: string) => `Move up: ${name}`,
  down: (name: string) => `Move down: ${name}`,
  moved: (name: string, place: number, of: number) => `${name} is number ${place} of ${of} now.`,
  take: (name: string) => `Take out: ${name}`,
  listed: (count: number) => counted(count, 'item', 'items'),
  movedOn:
    'Somebody changed this page in the meantime, so nothing was done. This is how it is now: look, and do it again.',
  empty: { title: 'Nothing is on this page yet', text: 'Add a first section, such as a heading or some text.' },
  emptyToRead: 'Nothing is on this page yet.',
  add: {
    action: 'Add a section',
    title: 'Add a section',
    type: 'What it is',
    where: 'Where it goes',
    end: 'At the end',
    before: (place: number, name: string) => `Before ${place}: ${name}`,
    make: 'Add it',
    there: {
      message: 'It is on this page already, as you wrote it first: only the answer was lost.',
      next: 'Copy what you changed since, close this, and change the section itself.',
    },
  },
  removing: {
    title: 'Take this section out?',
    text: 'It leaves the draft. Readers see it until the page is published, and the history can bring it back.',
    action: 'Take it out',
  },
  gone: {
    title: 'Somebody took out a section that you were changing',
    text: (name: string) => `What you wrote in it is kept: ${name}.`,
    back: 'Put it back with my changes',
    drop: 'Drop what I wrote',
  },
};

/** Inputs that a form has besides text. */
export const inputs = {
  item: (label: string, place: number) => `${label}, ${place}`,
  add: 'Add one',
  up: (name: string) => `Move up: ${name}`,
  down: (name: string) => `Move down: ${name}`,
  remove: (name: string) => `Remove: ${name}`,
  addTo: (label: string) => `Add to: ${label}`,
  picture: {
    choose: 'Choose a picture…',
    change: 'Choose another…',
    none: 'Without a picture',
    chosen: 'The chosen picture',
    title: 'Choose a picture',
    search: 'Name, description or credit contains',
    list: 'Pictures of this site',
    nothing: 'There is no such picture. Pictures are added under Media.',
  },
};

const these: Record<Kind, string> = { entry: 'this entry', page: 'this page', asset: 'this file' };

export const deleting = {
  action: 'Delete…',
  of: (name: string) => `Delete: ${name}`,
  title: (kind: Kind) => `Delete ${these[kind]}?`,
  text: 'It goes to the trash of the site, and can be brought back from there.',
  live: 'Readers see it. They do not any more as soon as you delete it.',
  livePage: 'Readers see it. Take it off the site first; then it can be deleted.',
  links: 'What uses it',
  more: 'And more than these.',
  asset: 'It is still used. Take it out of these first; then it can be deleted.',
  held: 'It cannot be deleted as long as it is so.',
  breaks: 'Delete it all the same',
  breaksHint: 'Links to it lead nowhere then.',
  roles: {
    parent: 'is a page under it',
    homePage: 'has it as home page',
    byline: 'names it as author',
    menu: 'has it in a menu',
    translation: 'is a translation of it',
    redirect: 'leads to it',
  } as Record<string, string>,
  linksTo: 'links to it',
  delete: 'Delete it',
  deleteLive: 'Take it off the site and delete it',
};

export const trash = {
  lead: 'What was deleted, the newest first. What is brought back is a draft: readers see it once it is published.',
  kinds: { entry: 'Entries', page: 'Pages', asset: 'Pictures and files' } satisfies Record<Kind, string>,
  deleted: 'deleted',
  by: 'by',
  restore: 'Bring back',
  restoreOf: (title: string) => `Bring back: ${title}`,
  restored: 'It is back, as a draft.',
  open: 'Open it',
  empty: { title: 'The trash is empty', text: 'What people and agents delete lies here, and can be brought back.' },
};
