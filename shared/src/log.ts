import pino from 'pino';

export type Log = pino.Logger;

/** One JSON object a line, to stdout unless told otherwise. Nothing secret passes: see `redact`. */
export function createLog(
  service: string,
  options: { level?: string; destination?: pino.DestinationStream } = {},
): Log {
  return pino(
    {
      level: options.level ?? 'info',
      base: { service },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      serializers: { err: describeError, error: describeError },
      // On the finished line, so that no nesting, message or stack slips by.
      hooks: { streamWrite: redact },
    },
    options.destination ?? pino.destination({ sync: false }),
  );
}

const secretNames =
  'authorization|proxy-authorization|x-api-key|api-?key|cookie|set-cookie|confirm-?token|request-?state|password|secret|pepper|token|permit|private-?jwk';
const secretMember = new RegExp(
  `"((?:${secretNames})(?:\\.value)?)":\\s*(?:"(?:[^"\\\\]|\\\\.)*"|\\[[^\\]]*\\]|\\d+)`,
  'gi',
);

const secretText: [RegExp, string][] = [
  // Agent keys
  [/chk_[a-z]+_[A-Za-z0-9_]+/g, 'chk_[redacted]'],
  [/\b(Bearer|Basic)\s+[^\s"\\,]+/gi, '$1 [redacted]'],
  // JWTs: permits, signed principals
  [/\beyJ[\w-]+\.[\w-]+\.[\w-]*/g, '[redacted]'],
  // Sealed tokens of a key ring: request states, confirm tokens, preview tokens
  [/\bv1\.[\w-]+\.[\w-]+\.[\w-]+/g, '[redacted]'],
  [/\b((?:set-)?cookie:\s*)[^"\\]+/gi, '$1[redacted]'],
  [/([?&](?:token|key|code|state|secret)=)[^&\s"\\]+/gi, '$1[redacted]'],
  [/(:\/\/[^:@/\s"\\]*:)[^@/\s"\\]+@/g, '$1[redacted]@'],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[^"]*/g, '[redacted]'],
];

/** Takes credentials out of a line of JSON: members with a telling name, and credentials by their shape anywhere in text. */
export function redact(line: string): string {
  let text = line.replace(secretMember, '"$1":"[redacted]"');
  for (const [pattern, replacement] of secretText) text = text.replace(pattern, replacement);
  return text;
}

/** What a log may say of an error; a database error's `detail` would carry people's data. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const { name, message, stack } = error;
  const code = (error as { code?: unknown }).code;
  return {
    type: name,
    message,
    stack,
    ...(typeof code === 'string' && { code }),
    ...(error.cause !== undefined && { cause: describeError(error.cause) }),
  };
}
