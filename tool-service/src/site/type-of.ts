import type { ContentTypeBody, EntryBody } from '@cloudhal/shared/site/shapes';
import type { At } from '../graph/node.ts';
import type { View } from '../graph/view.ts';

type Typed = { body: Pick<EntryBody, 'type'>; path?: string };

/** The type of an entry in a state; one without words or fields where there is none: readers see no other track's. */
export async function typeOf(view: View, { body: { type }, path = '' }: Typed, at: At): Promise<ContentTypeBody> {
  const known = await view.find('content_type', type, at);
  const pathPrefix = path.slice(0, path.lastIndexOf('/'));
  return known?.body ?? { name: type, title: '', description: '', pathPrefix, hasBody: true, fields: {} };
}
