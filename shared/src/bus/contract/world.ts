import { setTimeout as sleep } from 'node:timers/promises';
import { Type } from 'typebox';
import { expect } from 'vitest';
import { CloudhalError } from '../../errors.ts';
import { type Bus, BusError, event, request, stream } from '../bus.ts';

/** Where a contract's buses meet; `connect` gives the bus of one more process, or the one bus there is. */
export type BusWorld = { connect(service: string): Promise<Bus>; end(): Promise<void> };

/** The buses of one test. */
export type Buses = { world: BusWorld; gateway: Bus; policy: Bus; tools: Bus };

export const Text = Type.Object({ text: Type.String() });
export const echo = request(
  'cloudhal.v1.test.echo',
  Type.Object({ text: Type.String(), more: Type.Optional(Type.Unknown()) }),
  Text,
);
export const first = request('cloudhal.v1.test.first', Text, Text);
export const second = request('cloudhal.v1.test.second', Text, Text);
export const third = request('cloudhal.v1.test.third', Text, Text);
export const happened = event('cloudhal.v1.event.happened', Text);
export const records = stream('CLOUDHAL_TEST', 'cloudhal.v1.test.records', Type.Object({ n: Type.Integer() }));
export const timeoutMs = 5_000;

export async function errorOf(work: Promise<unknown>): Promise<CloudhalError | BusError> {
  const error = await work.then(
    (value) => new Error(`it was answered ${JSON.stringify(value)}`),
    (reason: unknown) => reason,
  );
  if (error instanceof CloudhalError || error instanceof BusError) return error;
  throw error;
}

export async function reasonOf(work: Promise<unknown>): Promise<string> {
  const error = await errorOf(work);
  return error instanceof BusError ? error.reason : error.code;
}

export async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 1_000 && !condition(); i++) await sleep(10);
  expect(condition()).toBe(true);
}
