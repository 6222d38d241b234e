import { uuidv7 } from '@cloudhal/shared/ids';
import type { Log } from '@cloudhal/shared/log';
import type { Request, RequestHandler, Response } from 'express';

/** Gives each request an id, which the answer carries, and logs how it ended; served requests only at `debug`. */
export function requestLog(log: Log): RequestHandler {
  return (request, response, next) => {
    const id = uuidv7();
    const startedAt = performance.now();
    response.locals.requestId = id;
    response.setHeader('X-Request-Id', id);
    response.on('finish', () => {
      const { statusCode } = response;
      const level = statusCode >= 500 ? 'warn' : statusCode >= 400 ? 'info' : 'debug';
      if (!log.isLevelEnabled(level)) return;
      const ms = Math.round(performance.now() - startedAt);
      log[level](
        { requestId: id, method: request.method, path: loggedPath(request), status: statusCode, ms },
        'request',
      );
    });
    next();
  };
}

export function logOf(log: Log, response: Response): Log {
  return log.child({ requestId: response.locals.requestId });
}

/** Without the query, and without the token of a preview: whoever reads the log may not open the draft. */
function loggedPath({ originalUrl }: Request): string {
  const path = originalUrl.replace(/[?#].*$/s, '').slice(0, 200);
  return path.replace(/^(\/preview\/)[^/]+/, '$1…');
}
