import { afterAll, beforeAll, describe } from 'vitest';
import { forgedPermits } from './bad-input/forged-permits.ts';
import { otherSites } from './bad-input/other-sites.ts';
import { replayedApprovals } from './bad-input/replayed-approvals.ts';
import { wrongCalls } from './bad-input/wrong-calls.ts';
import { wrongRequests } from './bad-input/wrong-requests.ts';
import { type Newsroom, openNewsroom } from './newsroom.ts';

let newsroom: Newsroom;
beforeAll(async () => {
  newsroom = await openNewsroom({ replicas: { gateway: 2 } });
}, 120_000);
afterAll(() => newsroom?.stop(), 60_000);

describe('wrong calls', () => wrongCalls(() => newsroom));
describe('wrong requests', () => wrongRequests(() => newsroom));
describe('approvals', () => replayedApprovals(() => newsroom));
describe('the bus', () => forgedPermits(() => newsroom));
describe('another site', () => otherSites(() => newsroom));
