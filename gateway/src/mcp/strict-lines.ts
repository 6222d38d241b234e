import { Transform, type TransformCallback } from 'node:stream';
import { CloudhalError, fail } from '@cloudhal/shared/errors';
import { parseJson } from '@cloudhal/shared/parse-json';

const newline = 10;

/**
 * Lines of JSON on their way from stdin to the SDK, which parses without limits. A line that `parseJson` refuses, or one
 * that is too long, does not get through; `refuse` is told why.
 */
export function strictLines(max: number, refuse: (error: CloudhalError) => void): Transform {
  let parts: Buffer[] = [];
  let size = 0;

  function add(part: Buffer): void {
    size += part.length;
    if (size <= max) parts.push(part);
  }

  function take(): Buffer | undefined {
    const line = Buffer.concat(parts);
    const tooLong = size > max;
    parts = [];
    size = 0;
    try {
      if (tooLong) throw fail('payload_too_large', { max });
      if (line.every((byte) => byte <= 32)) return undefined;
      parseJson(line);
      return Buffer.concat([line, Buffer.of(newline)]);
    } catch (error) {
      refuse(error instanceof CloudhalError ? error : fail('internal'));
      return undefined;
    }
  }

  return new Transform({
    transform(chunk: Buffer, _encoding, done: TransformCallback) {
      let from = 0;
      for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, from)) {
        add(chunk.subarray(from, at));
        from = at + 1;
        const line = take();
        if (line) this.push(line);
      }
      add(chunk.subarray(from));
      done();
    },
  });
}
