/** The locales that stand in for one, nearest first: shorter forms of it that the site has, then the site's default. */
export function fallbackChain(locale: string, locales: readonly string[], defaultLocale: string): string[] {
  const parts = locale.split('-');
  const shorter = parts.slice(1).map((_, index) => parts.slice(0, parts.length - 1 - index).join('-'));
  const chain = [...shorter, defaultLocale].filter((one) => one !== locale && locales.includes(one));
  return [...new Set(chain)];
}

/** What a locale is called, in its own language. */
export function localeName(locale: string): string {
  try {
    return new Intl.DisplayNames([locale], { type: 'language', fallback: 'code' }).of(locale) ?? locale;
  } catch {
    return locale;
  }
}
