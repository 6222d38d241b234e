import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import {
  ActivityFilter,
  AuditQuery,
  auditActivity,
  auditExport,
  auditQuery,
  auditState,
  auditVerify,
} from '@cloudhal/shared/contracts';
import type { Log } from '@cloudhal/shared/log';
import express, { type Router } from 'express';
import { type TProperties, Type } from 'typebox';
import { ask } from '../http/ask.ts';
import { jsonBody, queryOf, reader } from '../http/json-body.ts';
import type { PolicyRoutesDeps } from './approvals.ts';
import { signedIn } from './signed-in.ts';

const strict = { additionalProperties: false };
const Text = Type.Optional(Type.String({ maxLength: 300 }));
const page = {
  cursor: Type.Optional(Type.String({ maxLength: 1000 })),
  limit: Type.Optional(Type.String({ pattern: '^[1-9][0-9]{0,2}$' })),
};
/** Of a query each value is text, and none is long. */
const texts = <P extends TProperties>(names: P) =>
  Object.fromEntries(Object.keys(names).map((name) => [name, Text])) as Record<keyof P, typeof Text>;
const { principal: _principal, cursor: _cursor, limit: _limit, ...lineFilter } = AuditQuery.properties;
const filter = { ...texts(ActivityFilter.properties), kind: ActivityFilter.properties.kind };

const readLines = reader(Type.Object({ ...texts(lineFilter), ...page }, strict));
const readEntries = reader(Type.Object({ ...filter, ...page }, strict));
const readExport = reader(
  Type.Object({ ...filter, format: Type.Union([Type.Literal('jsonl'), Type.Literal('csv')]) }, strict),
);
const readNothing = reader(Type.Object({}, strict));

/** What one export may hold; whoever wants more asks for a shorter time. */
const mostLines = 100_000;
const types = { jsonl: 'application/x-ndjson', csv: 'text/csv' };

/** The record of what happened; audit-service shows each person what their role may see. */
export function activityRoutes({ bus, people, principalTokens, log }: PolicyRoutesDeps & { log: Log }): Router {
  const router = express.Router();
  const person = signedIn(people);

  // Line by line, as the record has it: for the whole story of one call.
  router.get(
    '/',
    person(async ({ principal }, request, response) => {
      const query = { principal: principalTokens(principal), ...paged(readLines(queryOf(request))) };
      response.json(await ask(bus, auditQuery, query, 'storage_unavailable'));
    }),
  );
  router.get(
    '/entries',
    person(async ({ principal }, request, response) => {
      const query = { principal: principalTokens(principal), ...paged(readEntries(queryOf(request))) };
      response.json(await ask(bus, auditActivity, query, 'storage_unavailable'));
    }),
  );
  router.get(
    '/export',
    person(async ({ principal }, request, response) => {
      const query = readExport(queryOf(request));
      const read = (cursor?: string) =>
        ask(
          bus,
          auditExport,
          { principal: principalTokens(principal), ...query, ...(cursor !== undefined && { cursor }) },
          'storage_unavailable',
        );
      // A refusal is an answer of its own; from then on there is a file.
      const first = await read();
      const day = new Date().toISOString().slice(0, 10);
      response.setHeader('Content-Type', `${types[query.format]}; charset=utf-8`);
      response.setHeader('Content-Disposition', `attachment; filename="cloudhal-activity-${day}.${query.format}"`);
      // What breaks off breaks the download off: half a file never looks like a whole one.
      await pipeline(Readable.from(textOf(first, read)), response).catch((error: unknown) =>
        log.info({ err: error }, 'an export broke off'),
      );
    }),
  );
  router.get(
    '/record',
    person(async ({ principal }, _request, response) => {
      const query = { principal: principalTokens(principal) };
      response.json({ record: await ask(bus, auditState, query, 'storage_unavailable') });
    }),
  );
  router.post(
    '/record/verify',
    jsonBody,
    person(async ({ principal }, request, response) => {
      readNothing(request.body);
      const query = { principal: principalTokens(principal) };
      response.json({ record: await ask(bus, auditVerify, query, 'storage_unavailable') });
    }),
  );
  return router;
}

type Piece = { text: string; lines: number; cursor?: string };

/** The pieces of an export one after the other. That it was cut off is its last line, which either format can hold. */
async function* textOf(first: Piece, read: (cursor: string) => Promise<Piece>): AsyncGenerator<string> {
  let piece = first;
  let lines = first.lines;
  yield piece.text;
  while (piece.cursor !== undefined) {
    if (lines >= mostLines) {
      yield `"cut off after ${lines} entries: export a shorter time"\n`;
      return;
    }
    piece = await read(piece.cursor);
    lines += piece.lines;
    yield piece.text;
  }
}

function paged<T extends { limit?: string }>({ limit, ...rest }: T) {
  return { ...rest, ...(limit && { limit: Math.min(Number(limit), 200) }) };
}
