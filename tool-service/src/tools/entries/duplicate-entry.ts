import { fail } from '@cloudhal/shared/errors';
import { Type } from 'typebox';
import { checkSlug } from '../../content/slug.ts';
import { Input, writeTool } from '../../define-tool.ts';
import { keepEmbargo } from '../../embargoes/embargoes.ts';
import type { Draft } from '../../graph/draft.ts';
import type { GraphNode } from '../../graph/node.ts';
import { EntryRef, Note, RequestId, Site, SlugArg } from '../arguments.ts';
import { EntryHeadData, entryHead } from './entry-data.ts';

export const duplicateEntry = writeTool({
  name: 'duplicate_entry',
  title: 'Duplicate an entry',
  description: 'A copy of an entry as a new draft, under a slug of its own. An embargo holds for the copy, too.',
  effect: 'edit',
  scopes: ['content:write'],
  toolsets: ['editorial'],
  hints: { destructive: false, idempotent: false },
  input: Input({ site: Site, entry: EntryRef, slug: Type.Optional(SlugArg), requestId: RequestId, note: Note }),
  output: EntryHeadData,
  async run({ entry, slug }, draft) {
    const original = await draft.get('entry', entry);
    // What was corrected is the other's history, and a copy of a translation is an original of its own.
    const { corrections: _, translation: __, translated: ___, ...body } = original.body;
    const node = await draft.create('entry', {
      ...body,
      slug: slug === undefined ? await freeSlug(draft, original) : checkSlug(slug),
    });
    keepEmbargo(draft, original, node);
    return { data: entryHead(node), rev: node.rev };
  },
});

async function freeSlug(draft: Draft, { path = '', body }: GraphNode<'entry'>): Promise<string> {
  const folder = path.slice(0, path.lastIndexOf('/'));
  const stem = body.slug.slice(0, 80).replace(/-+$/, '');
  for (let copy = 1; copy <= 20; copy++) {
    const slug = copy === 1 ? `${stem}-copy` : `${stem}-copy-${copy}`;
    const taken = await draft.atPath(`${folder}/${slug}`, { locale: body.locale });
    if (taken?.locale !== body.locale) return slug;
  }
  throw fail('validation_failed', { path: 'slug', expected: 'a slug; there are many copies already' });
}
