import type { IncomingMessage } from 'node:http';
import type { Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib';
import { fail } from '@cloudhal/shared/errors';

const inflaters: Record<string, () => Transform> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
};

/** Reads a request's body, inflated, up to `max` bytes; more is `payload_too_large` however small it came in. */
export async function readBody(req: IncomingMessage, max: number): Promise<Buffer> {
  if (Number(req.headers['content-length']) > max) throw fail('payload_too_large', { max });
  const encoding = (req.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity') return await collect(req, max);
  const inflate = inflaters[encoding];
  if (!inflate) {
    throw fail('unsupported_media', { found: `content-encoding ${encoding}`, accepted: Object.keys(inflaters) });
  }
  const inflated = req.pipe(inflate());
  req.once('close', () => req.complete || inflated.destroy());
  try {
    return await collect(inflated, max, fail('malformed_json', { reason: `the body is not valid ${encoding}` }));
  } finally {
    req.unpipe(inflated);
    inflated.destroy();
  }
}

async function collect(stream: IncomingMessage | Transform, max: number, broken?: Error): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  return await new Promise<Buffer>((resolve, reject) => {
    stream.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= max) chunks.push(chunk);
      else {
        stream.pause();
        reject(fail('payload_too_large', { max }));
      }
    });
    stream.once('end', () => resolve(Buffer.concat(chunks)));
    stream.on('error', (error) => reject(broken ?? error));
    stream.once('close', () => reject(new Error('the client went away')));
  });
}
