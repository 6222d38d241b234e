import { uuidv7 } from '@cloudhal/shared/ids';
import type { Log } from '@cloudhal/shared/log';
import { counter, histogram } from '@cloudhal/shared/metrics';
import type { Request, RequestHandler, Response } from 'express';

const answered = counter('cloudhal_gateway_requests_total', 'Requests that were answered.', ['area', 'status']);
const seconds = histogram('cloudhal_gateway_request_seconds', 'How long an answer took.', ['area']);
const areas = new Set(['mcp', 'api', 'sites', 'preview', 'uploads', 'studio']);

/** Gives each request an id, which the answer carries, and logs how it ended; served requests only at `debug`. */
export function requestLog(log: Log): RequestHandler {
  return (request, response, next) => {
    const id = uuidv7();
    const startedAt = performance.now();
    response.locals.requestId = id;
    response.setHeader('X-Request-Id', id);
    response.on('finish', () => {
      const { statusCode } = response;
      const took = performance.now() - startedAt;
      const area = areaOf(request);
      answered.inc({ area, status: statusCode });
      seconds.observe({ area }, took / 1000);
      const level = statusCode >= 500 ? 'warn' : statusCode >= 400 ? 'info' : 'debug';
      if (!log.isLevelEnabled(level)) return;
      const ms = Math.round(took);
      log[level](
        { requestId: id, method: request.method, path: loggedPath(request), status: statusCode, ms },
        'request',
      );
    });
    next();
  };
}

function areaOf({ originalUrl }: Request): string {
  const first = originalUrl.split(/[/?#]/, 2)[1] ?? '';
  return areas.has(first) ? first : 'other';
}

export function logOf(log: Log, response: Response): Log {
  return log.child({ requestId: response.locals.requestId });
}

/** Without the query, and without the token of a preview or an upload: whoever reads the log may not use it. */
function loggedPath({ originalUrl }: Request): string {
  const path = originalUrl.replace(/[?#].*$/s, '').slice(0, 200);
  return path.replace(/^(\/(?:preview|uploads)\/)[^/]+/, '$1…');
}
