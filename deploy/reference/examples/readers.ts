import type { Example, Outside } from './example.ts';

async function readerWrites({ url, slug }: Outside): Promise<void> {
  throw new Error(`not yet: ${url} ${slug}`);
}

/** What readers do, and what becomes of it. */
export const comments: Example[] = [{ tool: 'list_comments', before: readerWrites }];
