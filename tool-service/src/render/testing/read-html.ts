export type Element = { tag: string; attributes: Record<string, string>; text: string };

const voids = new Set(['br', 'hr', 'img', 'meta', 'link']);
const token = /<!doctype html>|<\/([a-z][a-z0-9]*)>|<([a-z][a-z0-9]*)((?: [a-z-]+(?:="[^"<>]*")?)*)(?: \/)?>|[^<]+/gy;

/** The elements of HTML that is well-formed in the strictest sense, in order; anything else throws. */
export function readHtml(text: string): Element[] {
  const elements: Element[] = [];
  const open: Element[] = [];
  token.lastIndex = 0;
  let at = 0;
  for (const match of text.matchAll(token)) {
    if (match.index !== at) break;
    at += match[0].length;
    const [whole, end, start, attributes] = match;
    if (end !== undefined) {
      const last = open.pop();
      if (last?.tag !== end) throw new Error(`</${end}> closes <${last?.tag}>`);
    } else if (start !== undefined) {
      const element = { tag: start, attributes: readAttributes(attributes ?? ''), text: '' };
      elements.push(element);
      if (!voids.has(start)) open.push(element);
    } else {
      for (const element of open) element.text += whole;
    }
  }
  if (at !== text.length) throw new Error(`not HTML: ${text.slice(at, at + 80)}`);
  if (open.length > 0) throw new Error(`<${open.at(-1)!.tag}> is never closed`);
  return elements;
}

function readAttributes(text: string): Record<string, string> {
  const found: Record<string, string> = {};
  for (const [, name, value = ''] of text.matchAll(/ ([a-z-]+)(?:="([^"]*)")?/g)) {
    if (name! in found) throw new Error(`${name} twice`);
    found[name!] = decode(value);
  }
  return found;
}

function decode(text: string): string {
  return text
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}
