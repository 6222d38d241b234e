import type { Check, Found, Severity } from './findings.ts';
import type { DocumentFacts } from './in-page/document.ts';

/** What a page's own markup says about it, check by check. */
export function documentFindings(facts: DocumentFacts, asked: readonly Check[]): Found[] {
  return [...seo(facts), ...headings(facts), ...alt(facts), ...links(facts)].filter(({ check }) =>
    asked.includes(check),
  );
}

function seo({ title, description, language, scales, noindex }: DocumentFacts): Found[] {
  const found: Found[] = [];
  const say = (severity: Severity, message: string, fix: string) =>
    found.push({ check: 'seo', severity, message, selector: 'html', fix });
  if (title === '') say('serious', 'The page has no title.', 'Give the page a title.');
  if (title.length > 70) {
    say(
      'minor',
      `The title has ${title.length} characters; search engines show about 60.`,
      'Give it a shorter SEO title.',
    );
  }
  if (description === '') {
    say(
      'moderate',
      'Search engines are given no description.',
      'Give it a summary, or a description for search engines.',
    );
  }
  if (description.length > 200) {
    say('minor', `The description has ${description.length} characters; search engines show about 160.`, 'Shorten it.');
  }
  if (language === '') say('serious', 'The page does not say which language it is in.', 'Set the locale of the page.');
  if (!scales) say('serious', 'The page does not adapt to the width of a phone.', 'Add the viewport meta element.');
  if (noindex)
    say('minor', 'The page asks search engines to stay away.', 'Take seo.noindex away, unless that is meant.');
  return found;
}

function headings({ mainHeadings }: DocumentFacts): Found[] {
  if (mainHeadings < 2) return [];
  const message = `The page has ${mainHeadings} main headings (h1).`;
  return [{ check: 'headings', severity: 'moderate', message, selector: 'h1', fix: 'Keep one; make the others h2.' }];
}

function alt({ fileNames, silentImages }: DocumentFacts): Found[] {
  const fix = 'Say what the image shows; leave it empty only if it decorates.';
  const named = { check: 'alt', severity: 'serious', message: 'The alternative text is a file name.', fix } as const;
  // Markdown writes an empty text where none was given: it may have been forgotten.
  const silent = { check: 'alt', severity: 'moderate', message: 'The alternative text is empty.', fix } as const;
  return [
    ...fileNames.map((selector) => ({ ...named, selector })),
    ...silentImages.map((selector) => ({ ...silent, selector })),
  ];
}

const saysNothing =
  /^(?:here|click here|click|this|link|more|hier|klick hier|ici|cliquez ici|aquí|haz clic aquí|aqui|clique aqui)[.!…]*$/i;

function links({ links: all }: DocumentFacts): Found[] {
  return all.flatMap(({ text, selector, isMissingFragment }): Found[] => [
    ...(isMissingFragment
      ? [
          {
            check: 'links',
            severity: 'moderate',
            message: 'It leads to a place that is not on the page.',
            selector,
            fix: 'Link to the id of a heading of this page.',
          } as const,
        ]
      : []),
    ...(saysNothing.test(text)
      ? [
          {
            check: 'links',
            severity: 'minor',
            message: 'Its words do not say where it leads.',
            selector,
            fix: 'Let the words of the link name what is there.',
          } as const,
        ]
      : []),
  ]);
}
