import type { Words } from './clean-text.ts';

/** From this score on a comment is filed under spam; a person may still approve it. */
export const spamFrom = 70;

export type Spam = { score: number; signs: string[] };

/** What is known beside the words. */
export type Around = {
  /** How often the same text was sent to this site lately. */
  repeats: number;
  /** The title of the site, which a reader may not speak for. */
  siteTitle: string;
};

const address =
  /\b(?:https?:\/\/|www\.)\S+|\b[a-z0-9-]+\.(?:com|net|org|ru|cn|xyz|top|info|biz|shop|site|online|club|live)\b/giu;
const markup = /<a\b|<\/|\[url|\[link|\]\(\s*(?:https?:|\/\/)/iu;
const trade =
  /\b(?:viagra|cialis|casino|betting|jackpot|payday|loans?|crypto|bitcoin|forex|backlinks?|seo services?|escorts?|porn|xxx|followers|replica|weight loss|work from home|click here|limited offer|whats ?app|telegram)\b/giu;
/** Addressed to a program that reads along. */
const orders =
  /\b(?:ignore|disregard|forget)\b.{0,40}\b(?:instructions?|prompts?|rules|above)\b|\b(?:system prompt|as an ai|assistant:|tool call)\b|\bconfirm ?token\b/iu;

type Sign = { name: string; points: number };

/**
 * How much a comment looks like spam, by a few rules that anybody can follow. It only sorts: no score shows a comment to
 * readers, and none throws one away.
 */
export function spamScore({ author, text }: Words, { repeats, siteTitle }: Around): Spam {
  const links = text.match(address)?.length ?? 0;
  const letters = text.match(/\p{L}/gu) ?? [];
  const capitals = text.match(/\p{Lu}/gu)?.length ?? 0;
  const words = new Set((text.match(trade) ?? []).map((word) => word.toLowerCase()));
  const checks: (Sign | false)[] = [
    links > 0 && { name: 'links', points: Math.min(15 + 15 * links, 60) },
    markup.test(text) && { name: 'markup', points: 40 },
    words.size > 0 && { name: 'trade', points: Math.min(25 * words.size, 75) },
    new RegExp(address.source, 'iu').test(author) && { name: 'address as name', points: 50 },
    letters.length >= 20 && capitals / letters.length > 0.7 && { name: 'capitals', points: 20 },
    /(.)\1{9}/u.test(text) && { name: 'repetition', points: 20 },
    repeats > 0 && { name: 'sent before', points: Math.min(40 * repeats, 80) },
    same(author, siteTitle) && { name: "the site's name", points: 40 },
    orders.test(text) && { name: 'orders', points: 30 },
  ];
  const found = checks.filter((sign) => sign !== false);
  return {
    score: Math.min(
      100,
      found.reduce((sum, { points }) => sum + points, 0),
    ),
    signs: found.map(({ name }) => name),
  };
}

function same(a: string, b: string): boolean {
  const plain = (text: string) =>
    text
      .normalize('NFKD')
      .replace(/[^\p{L}\p{N}]/gu, '')
      .toLowerCase();
  return plain(a) === plain(b);
}
