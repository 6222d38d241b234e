import type { Report } from './verify.ts';

/** The report as lines for a terminal. */
export function formatReport({ ok, chains }: Report): string {
  const lines = chains.map(({ chain, events, head, checkpoints, partial, problem }) => {
    const name = plainText(chain);
    if (problem === undefined) {
      const signed = checkpoints > 0 ? `, ${count(checkpoints, 'checkpoint')}` : '';
      return `ok    ${name}  ${count(events, 'event')}, last ${head}${signed}${partial ? ' (only a part)' : ''}`;
    }
    return `BAD   ${name}  at ${problem.seq}: ${problem.kind}: ${plainText(problem.detail)}`;
  });
  const bad = chains.filter((chain) => chain.problem !== undefined).length;
  const sum = ok
    ? `The record is whole: ${count(chains.length, 'chain')}.`
    : `The record was changed or is incomplete: ${bad} of ${count(chains.length, 'chain')}.`;
  return `${[...lines, sum].join('\n')}\n`;
}

/**
 * Text from the record as a terminal or a page may show it: what would move the cursor, break the line, reverse the text or
 * hide in it is spelt out, as `\u{1b}`.
 */
export function plainText(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]/gu,
    (char) => `\\u{${char.codePointAt(0)!.toString(16)}}`,
  );
}

function count(n: number, what: string): string {
  return `${n} ${what}${n === 1 ? '' : 's'}`;
}
