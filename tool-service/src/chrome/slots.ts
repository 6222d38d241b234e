import { fail } from '@cloudhal/shared/errors';
import type { ChromeBody } from '@cloudhal/shared/site/chrome';
import { resolveLink } from '../render/links.ts';

export type Slot = string | boolean;

type Rule = {
  expected: string;
  fits(value: unknown): boolean;
  usual: Slot;
  /** May be said in every locale, under its name and the locale: `banner.text.de`. */
  perLocale?: true;
};

const flag = (usual: boolean): Rule => ({
  expected: 'true or false',
  fits: (value) => typeof value === 'boolean',
  usual,
});

function words(most: number): Rule {
  const fits = (value: unknown) => typeof value === 'string' && value.trim() !== '' && value.length <= most;
  return { expected: `a text of at most ${most} characters`, fits, usual: '', perLocale: true };
}

const href: Rule = {
  expected: 'a path of the site, or an http(s) or mailto address',
  fits: (value) =>
    typeof value === 'string' &&
    value.length <= 2000 &&
    /^(?:\/(?!\/)|#|https?:\/\/|mailto:)/i.test(value) &&
    resolveLink(value, { basePath: '', path: '/' }) !== undefined,
  usual: '',
  perLocale: true,
};

const menu = (usual: string): Rule => ({
  expected: 'the name of a menu',
  fits: (value) => typeof value === 'string' && /^[a-z0-9](?:[a-z0-9-]{0,94}[a-z0-9])?$/.test(value),
  usual,
});

/** What surrounds a page, by place. */
const rules: Record<string, Rule> = {
  'header.menu': menu('header'),
  'header.tagline': flag(false),
  'header.locales': flag(true),
  'banner.text': words(300),
  'banner.label': words(80),
  'banner.href': href,
  'footer.menu': menu('footer'),
  'footer.text': words(1000),
  'footer.social': flag(true),
  'footer.feeds': flag(true),
};

export const slotNames = Object.keys(rules);

/** Checks a slot that is set; `validation_failed` for one that is not there, or a locale that the site does not have. */
export function checkSlot(name: string, value: unknown, locales: readonly string[]): Slot {
  const rule = ruleOf(name, locales);
  if (!rule.fits(value)) throw fail('validation_failed', { path: `set.${name}`, expected: rule.expected });
  return value as Slot;
}

function ruleOf(name: string, locales: readonly string[]): Rule {
  const [place = '', part = '', locale, ...more] = name.split('.');
  const rule = Object.hasOwn(rules, `${place}.${part}`) ? rules[`${place}.${part}`]! : undefined;
  if (!rule || more.length > 0 || (locale !== undefined && !rule.perLocale)) {
    throw fail('validation_failed', { path: `set.${name}`, expected: `a slot: ${slotNames.join(', ')}` });
  }
  if (locale !== undefined && !locales.includes(locale)) {
    throw fail('validation_failed', {
      path: `set.${name}`,
      expected: `one of the site's locales: ${locales.join(', ')}`,
    });
  }
  return rule;
}

/** The slots as a locale shows them: its own words, else those for every locale. What may not be there counts as not set. */
export function slotsIn(locale: string, { slots }: ChromeBody = { slots: {} }): Record<string, Slot> {
  const own = (name: string) => (Object.hasOwn(slots, name) ? slots[name] : undefined);
  return Object.fromEntries(
    Object.entries(rules).map(([name, rule]) => {
      const value = (rule.perLocale && own(`${name}.${locale}`)) || own(name);
      return [name, value !== undefined && rule.fits(value) ? value : rule.usual];
    }),
  );
}
