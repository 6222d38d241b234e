import type { Database } from '@cloudhal/shared/database';
import { auditEvent, putInOutbox } from '@cloudhal/shared/outbox';
import type { Request } from 'express';
import { personId } from '../auth/check-key.ts';
import { network } from '../client-address.ts';

export type RecordSignIn = (
  type: string,
  who: { id: string; name: string },
  request: Request,
  details?: object,
  /** What the line is about: done only where it can be recorded, and recorded only where it was done. */
  doing?: () => Promise<unknown>,
) => Promise<void>;

/** The record of what people do with their accounts; from where, but not from which address. */
export function createRecordSignIn(database: Database): RecordSignIn {
  return async (type, { id, name }, request, details = {}, doing = async () => {}) => {
    const event = auditEvent('gateway', {
      type,
      site: '_deployment',
      actor: { type: 'person', id: personId(id), name },
      details: { network: network(request.ip), ...details },
    });
    await database.transaction(async (tx) => {
      await putInOutbox(tx, 'gateway', event);
      await doing();
    });
  };
}
