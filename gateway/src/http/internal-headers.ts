import type { IncomingMessage } from 'node:http';

const internal = /^x-(?:internal|cloudhal-internal)-/i;

/** Takes away the headers that only our own parts may set, before anything reads them. */
export function stripInternalHeaders({ rawHeaders, headers }: IncomingMessage): void {
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!;
    if (!internal.test(name)) continue;
    delete headers[name.toLowerCase()];
    // Node remembers how many there were, so the place is kept.
    rawHeaders.splice(at, 2, 'x-stripped', '');
  }
}
