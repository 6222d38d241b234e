import { type AssetBody, isImage } from '@cloudhal/shared/site/asset';
import type { EntryBody, PageBody } from '@cloudhal/shared/site/shapes';
import type { Token } from 'markdown-it';
import { createMarkdown } from '../body/markdown.ts';
import type { GraphNode } from '../graph/node.ts';
import type { View } from '../graph/view.ts';
import { assetIdOf } from '../render/media.ts';

const markdown = createMarkdown();

/** Pictures of a page or entry that say nothing to whoever does not see them, in sentences after its name. */
export async function missingAlt(view: View, node: GraphNode): Promise<string[]> {
  const { kind, body, locale = '' } = node;
  const silent =
    kind === 'entry' ? entryPictures(body as EntryBody) : kind === 'page' ? pagePictures(body as PageBody) : [];
  const assets = [...new Set(silent.flatMap((src) => assetIdOf(src) ?? []))];
  const others = silent.filter((src) => assetIdOf(src) === undefined).length;
  const there = (await view.nodes(assets)) as GraphNode<'asset'>[];
  const wordless = there.filter(({ body: asset }) => isImage(asset) && !says(asset, locale));
  return [
    ...(others === 0 ? [] : [`has ${others} pictures without a text for those who do not see them.`]),
    ...wordless.map(({ id }) => `shows ${id}, which has no alt text in ${locale}.`),
  ];
}

/** An empty text says that it only decorates. */
function says({ alt = {} }: AssetBody, locale: string): boolean {
  return alt[locale] !== undefined;
}

function entryPictures({ body, fields }: EntryBody): string[] {
  const { leadImage } = fields;
  return [...silentPictures(body), ...(typeof leadImage === 'string' ? [`asset:${leadImage}`] : [])];
}

function pagePictures({ sections }: PageBody): string[] {
  return sections.flatMap(({ type, props: { markdown: text, image, asset, alt } }) => {
    if (type === 'hero' && typeof image === 'string') return [`asset:${image}`];
    if (type === 'image' && typeof asset === 'string' && !alt) return [`asset:${asset}`];
    return typeof text === 'string' ? silentPictures(text) : [];
  });
}

/** The addresses of pictures in a text that come with no words. */
function silentPictures(text: string): string[] {
  // Most texts have no picture, and need not be parsed.
  if (!text.includes('![')) return [];
  const inline: Token[] = markdown.parse(text, {}).flatMap(({ children }) => children ?? []);
  return inline.flatMap((token) =>
    token.type === 'image' && token.content.trim() === '' ? [String(token.attrGet('src') ?? '')] : [],
  );
}
