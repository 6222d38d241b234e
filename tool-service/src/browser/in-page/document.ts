/// <reference lib="dom" />

export type DocumentFacts = {
  title: string;
  description: string;
  language: string;
  /** It adapts to the width of the screen. */
  scales: boolean;
  noindex: boolean;
  /** How many h1 there are. */
  mainHeadings: number;
  links: { href: string; text: string; selector: string; isMissingFragment: boolean }[];
  /** Images whose alternative text is a file name. */
  fileNames: string[];
  /** Images in the main part that say they only decorate. */
  silentImages: string[];
};

/** Runs in the page, by itself: what its markup says. */
export function readDocument(mostLinks: number): DocumentFacts {
  const content = (name: string) =>
    document.querySelector(`meta[name="${name}"]`)?.getAttribute('content')?.trim() ?? '';

  function selectorOf(element: Element): string {
    const parts: string[] = [];
    for (let at: Element | null = element; at && at !== document.documentElement; at = at.parentElement) {
      const { localName, parentElement } = at;
      const alike = [...(parentElement?.children ?? [])].filter((child) => child.localName === localName);
      parts.unshift(alike.length > 1 ? `${localName}:nth-of-type(${alike.indexOf(at) + 1})` : localName);
    }
    return parts.join(' > ');
  }

  function isMissing(href: string): boolean {
    if (!/^#./.test(href)) return false;
    try {
      return document.getElementById(decodeURIComponent(href.slice(1))) === null;
    } catch {
      return true;
    }
  }

  const links = [...document.querySelectorAll('a[href]')].slice(0, mostLinks).map((link) => {
    const href = link.getAttribute('href') ?? '';
    const text = (link.textContent ?? '').trim();
    return { href, text, selector: selectorOf(link), isMissingFragment: isMissing(href) };
  });
  const isFileName = (alt: string) => /^\S+\.(?:jpe?g|png|gif|webp|avif|svg)$/i.test(alt);
  const images = [...document.querySelectorAll('img[alt]')];
  return {
    title: document.title.trim(),
    description: content('description'),
    language: document.documentElement.lang,
    scales: /width\s*=\s*device-width/.test(content('viewport')),
    noindex: /noindex/.test(content('robots')),
    mainHeadings: document.querySelectorAll('h1').length,
    links,
    silentImages: [...document.querySelectorAll('main img[alt=""]:not([role])')].map(selectorOf),
    fileNames: images.filter((image) => isFileName(image.getAttribute('alt')?.trim() ?? '')).map(selectorOf),
  };
}
