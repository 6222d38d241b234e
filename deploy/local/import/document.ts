/** What a reader of some format makes of one text: what `import_entries` takes, and what the person at the terminal is told. */
export type ImportedDocument = {
  slug: string;
  frontmatter: Record<string, unknown>;
  body: string;
  /** How it stood where it comes from; here it becomes a draft. */
  was: 'published' | 'draft' | 'scheduled' | 'private' | 'unknown';
  notes: string[];
};

/** What is in a source and is not imported, in words. */
type Skipped = { what: string; reason: string };
export type Source = { documents: ImportedDocument[]; skipped: Skipped[] };

/** Letters and digits of a name or a title, joined by hyphens. */
export function slugOf(name: string): string {
  const words = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '');
  return words.slice(-96).replace(/^-+/, '') || 'untitled';
}

/** Gives the second of the same slug another one, and the third. */
export function uniqueSlugs(documents: readonly ImportedDocument[]): ImportedDocument[] {
  const taken = new Set<string>();
  return documents.map((document) => {
    let { slug } = document;
    for (let n = 2; taken.has(slug); n++) slug = `${document.slug.slice(0, 90)}-${n}`;
    taken.add(slug);
    return slug === document.slug ? document : { ...document, slug };
  });
}
