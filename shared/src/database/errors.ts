import pg from 'pg';
import { CloudhalError, fail } from '../errors.ts';

/** Whether the server itself answered with this error; else the connection or a timeout is to blame. */
export function isServerError(error: unknown): error is pg.DatabaseError {
  return error instanceof pg.DatabaseError;
}

/** The server ended the connection with this error, so what a COMMIT did is not known. */
export function isFatal(error: pg.DatabaseError): boolean {
  return error.severity === 'FATAL' || error.severity === 'PANIC';
}

// SQLSTATEs that speak of the server's condition and not of the statement.
const unavailable = new Set([
  '25006', // read-only: a standby was reached
  '25P03', // idle in transaction for too long
  '57014', // cancelled: the statement took too long
  '57P01', // shut down by an administrator
  '57P02', // crashed
  '57P03', // starting up or shutting down
  '57P05', // idle for too long
  '58030', // input or output failed
]);

/** A coded error where the store is at fault, or was sent text it cannot hold; every other error as it came. */
export function mapDatabaseError(error: unknown): unknown {
  if (error instanceof CloudhalError) return error;
  if (!isServerError(error)) return isConnectionError(error) ? withCause(fail('storage_unavailable'), error) : error;
  const code = error.code ?? '';
  if (code === '53100') return withCause(fail('storage_full'), error);
  if (code === '22021' || code === '22P05' || isLoneSurrogate(error))
    return withCause(fail('invalid_unicode', { path: 'the arguments' }), error);
  if (unavailable.has(code) || code.startsWith('08') || code.startsWith('53') || isFatal(error)) {
    return withCause(fail('storage_unavailable'), error);
  }
  return error;
}

/** JSON may escape half a character, which is not text. */
function isLoneSurrogate({ code, detail }: { code?: string | undefined; detail?: string | undefined }): boolean {
  return code === '22P02' && /surrogate/i.test(detail ?? '');
}

function isConnectionError(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (typeof (error as NodeJS.ErrnoException).syscall === 'string') return true;
  return /timeout|terminated|not queryable|connection|after calling end/i.test(error.message);
}

function withCause(error: CloudhalError, cause: unknown): CloudhalError {
  return new CloudhalError(error.body, { cause });
}
