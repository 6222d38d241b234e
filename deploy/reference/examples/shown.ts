/** An example as the reference shows it. */
export type Shown = { arguments: unknown; answer: unknown };

const longestText = 160;
const mostItems = 2;

const dayMs = 86_400_000;
/** The day on which the story of the reference is told. */
const itsDay = Date.parse('2026-03-02');

/** Days about today are told from the day of the story: else the reference would change with each day. */
function shownDay(day: string): string {
  const days = Math.floor(Date.parse(day) / dayMs) - Math.floor(Date.now() / dayMs);
  return Math.abs(days) > 31 ? day : new Date(itsDay + days * dayMs).toISOString().slice(0, 10);
}

/**
 * Calls and answers in a form that is the same each time: ids are counted, times, digests, addresses and secrets are said
 * in general, and what is long is cut.
 */
export function createShow(): (call: { arguments: unknown; answer: unknown }) => Shown {
  const ids = new Map<string, string>();
  const counts = new Map<string, number>();

  function idFor(id: string, prefix: string): string {
    let shown = ids.get(id);
    if (shown === undefined) {
      const count = (counts.get(prefix) ?? 0) + 1;
      counts.set(prefix, count);
      shown = `${prefix}_${count}`;
      ids.set(id, shown);
    }
    return shown;
  }

  function text(value: string): string {
    const plain = value
      .replace(/\b([a-z]{2,3})_[0-9a-hjkmnp-tv-z]{26}\b/g, (id, prefix: string) => idFor(id, prefix))
      .replace(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/g, (id) => idFor(id, 'call'))
      .replace(/\bagent:[A-Za-z0-9]{10}\b/g, (id) => idFor(id, 'agent'))
      .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, (time) =>
        time.startsWith('2099') ? time : '2026-03-02T06:00:00.000Z',
      )
      .replace(/\b\d{4}-\d\d-\d\d\b(?!T)/g, shownDay)
      .replace(/http:\/\/(?:127\.0\.0\.1|localhost):\d+/g, 'https://cloudhal.example')
      .replace(/(\/(?:preview|uploads)\/)[\w.-]+/g, '$1…')
      .replace(/(?:sha256:)?\b[0-9a-f]{40,}\b/g, 'sha256:…')
      .replace(/^[A-Za-z0-9+/_=.-]{60,}$/, '…');
    return plain.length > longestText ? `${plain.slice(0, longestText)}…` : plain;
  }

  function shown(value: unknown): unknown {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) {
      const items = value.slice(0, mostItems).map(shown);
      return value.length > mostItems ? [...items, `… ${value.length - mostItems} more`] : items;
    }
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [text(name), shown(inner)]));
  }

  return (call) => ({ arguments: shown(call.arguments), answer: shown(call.answer) });
}
