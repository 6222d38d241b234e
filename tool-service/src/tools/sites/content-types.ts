import type { View } from '../../graph/view.ts';

/** The content types of a site, one line each. */
export async function contentTypes(view: View) {
  const { items } = await view.list({ kind: 'content_type', sort: 'title', limit: 100 });
  return items.map(({ body: { name, title, description, pathPrefix, hasBody } }) => ({
    name,
    title,
    description,
    pathPrefix,
    hasBody,
  }));
}
