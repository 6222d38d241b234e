import { CloudhalError, type ErrorBody, fail, toErrorBody } from '../errors.ts';

/** What an answer looks like on the wire. */
export type Reply = { ok?: unknown } | { error: ErrorBody };

/** What one message may hold; larger things are uploaded. */
export const maxPayload = 1_048_576;

/** How long handlers may go on once serving has stopped. */
export const finishMs = 25_000;

/** The JSON of a payload; refuses what no bus would carry. */
export function encode(payload: unknown, max = maxPayload): string {
  const text = JSON.stringify(payload);
  if (text.length > max / 4 && Buffer.byteLength(text) > max) throw fail('payload_too_large', { max });
  return text;
}

/** The JSON of a reply. One that is too large becomes an error that claims nothing about what was done. */
export function encodeReply(reply: Reply, max = maxPayload): string {
  try {
    return encode(reply, max);
  } catch (error) {
    if (!(error instanceof CloudhalError)) return JSON.stringify({ error: toErrorBody(error) });
    const tooLarge = fail('limit_exceeded', { what: 'The answer', max }).body;
    return JSON.stringify({ error: { ...tooLarge, applied: 'unknown' } });
  }
}

/** The answer in a reply; throws the error in it. */
export function openReply(text: string): unknown {
  const reply = JSON.parse(text) as Reply;
  if ('error' in reply) throw new CloudhalError(reply.error);
  return reply.ok;
}
