/// <reference lib="dom" />

export type LayoutFault = { kind: 'overflow' | 'clipped' | 'overlap'; selector: string; other?: string; by: number };

/** Runs in the page, by itself: what is wider than the screen, text that is cut off, and text that lies on other text. */
export function findLayoutFaults(most: number): LayoutFault[] {
  const width = document.documentElement.clientWidth;
  const slack = 1.5;
  const faults: LayoutFault[] = [];

  function selectorOf(element: Element): string {
    const parts: string[] = [];
    for (let at: Element | null = element; at && at !== document.documentElement; at = at.parentElement) {
      if (at.id !== '' && document.querySelectorAll(`#${CSS.escape(at.id)}`).length === 1) {
        parts.unshift(`#${CSS.escape(at.id)}`);
        break;
      }
      const { localName, parentElement } = at;
      const alike = [...(parentElement?.children ?? [])].filter((child) => child.localName === localName);
      parts.unshift(alike.length > 1 ? `${localName}:nth-of-type(${alike.indexOf(at) + 1})` : localName);
    }
    return parts.join(' > ') || 'html';
  }

  const visible = (element: Element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  /** Text that is there for screen readers alone is one pixel large, or clipped away on purpose. */
  function isForScreenReaders(element: Element): boolean {
    for (let at: Element | null = element; at; at = at.parentElement) {
      const box = at.getBoundingClientRect();
      const style = getComputedStyle(at);
      if (style.overflow !== 'visible' && box.width <= 1 && box.height <= 1) return true;
      if (style.clipPath !== 'none' && style.position === 'absolute') return true;
    }
    return false;
  }

  /** The nearest ancestor that does not show what reaches beyond it; `scrolls` where readers can get at the rest. */
  function boundary(element: Element): { element: Element; scrolls: boolean } | undefined {
    for (let at = element.parentElement; at && at !== document.body; at = at.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(at);
      if (overflowX === 'visible' && overflowY === 'visible') continue;
      return { element: at, scrolls: [overflowX, overflowY].some((value) => value === 'auto' || value === 'scroll') };
    }
    return undefined;
  }

  const texts: { element: Element; rects: DOMRect[] }[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode() && texts.length < 3_000) {
    const node = walker.currentNode;
    const element = node.parentElement;
    if (!element || (node.nodeValue ?? '').trim() === '' || !visible(element) || isForScreenReaders(element)) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const isShown = (rect: DOMRect) => rect.width > 1 && rect.height > 1 && rect.bottom > 0 && rect.right > 0;
    const rects = [...range.getClientRects()].filter(isShown);
    if (rects.length > 0) texts.push({ element, rects });
  }

  // Wider than the screen: the outermost element that reaches beyond it, or the text that does.
  const isBeyond = (rect: DOMRect) => rect.width > 0 && rect.right > width + slack && rect.bottom > 0;
  if (document.documentElement.scrollWidth > width + slack) {
    const wide: Element[] = [];
    const note = (element: Element) => {
      if (!wide.some((known) => known.contains(element))) wide.push(element);
    };
    for (const element of document.body.querySelectorAll('*')) {
      if (isBeyond(element.getBoundingClientRect()) && visible(element) && !boundary(element)) note(element);
    }
    for (const { element, rects } of texts) {
      const hides = getComputedStyle(element).overflowX !== 'visible';
      if (rects.some(isBeyond) && !hides && !boundary(element)) note(element);
    }
    for (const element of wide) {
      const box = element.getBoundingClientRect();
      const by = Math.max(box.right, box.left + element.scrollWidth) - width;
      faults.push({ kind: 'overflow', selector: selectorOf(element), by: Math.round(by) });
    }
  }

  // Cut off: text that reaches out of a box that hides what reaches out of it.
  const cut = new Set<Element>();
  for (const { element, rects } of texts) {
    const own = getComputedStyle(element);
    const hides = [own.overflowX, own.overflowY].some((value) => value === 'hidden' || value === 'clip');
    const box = hides ? { element, scrolls: false } : boundary(element);
    if (!box || box.scrolls || cut.has(box.element)) continue;
    const edge = box.element.getBoundingClientRect();
    const reach = (rect: DOMRect) =>
      Math.max(rect.right - edge.right, edge.left - rect.left, rect.bottom - edge.bottom);
    const by = Math.max(...rects.map(reach));
    if (by <= 3) continue;
    cut.add(box.element);
    faults.push({ kind: 'clipped', selector: selectorOf(box.element), by: Math.round(by) });
  }

  // On top of each other: lines of different elements that share a good part of the smaller one.
  const lines = texts
    .filter(({ element }) => getComputedStyle(element).position !== 'fixed')
    .flatMap(({ element, rects }) => rects.map((rect) => ({ element, rect })))
    .sort((a, b) => a.rect.top - b.rect.top);
  const told = new Set<Element>();
  for (const [index, { element, rect }] of lines.entries()) {
    for (let next = index + 1; next < lines.length && lines[next]!.rect.top < rect.bottom; next++) {
      const { element: other, rect: below } = lines[next]!;
      if (other === element || [element, other].some((one) => told.has(one) || cut.has(one))) continue;
      const x = Math.min(rect.right, below.right) - Math.max(rect.left, below.left);
      const y = Math.min(rect.bottom, below.bottom) - Math.max(rect.top, below.top);
      // Lines of tight text touch each other by a few pixels.
      if (x < 4 || y < 0.4 * Math.min(rect.height, below.height)) continue;
      told.add(other);
      faults.push({ kind: 'overlap', selector: selectorOf(other), other: selectorOf(element), by: Math.round(y) });
    }
  }
  return faults.slice(0, most);
}
