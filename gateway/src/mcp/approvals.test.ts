import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eras, openedClients, type Person, type Question } from './testing/clients.ts';
import { type House, openHouse } from './testing/house.ts';
import { answer, modern, post } from './testing/raw.ts';
import { openRings, type Rings } from './testing/rings.ts';

let rings: Rings;
let house: House;
const { open, closeAll } = openedClients();

beforeAll(async () => {
  rings = await openRings(2);
});
afterAll(async () => await rings.close());
beforeEach(async () => {
  house = await openHouse(rings.rings);
});
afterEach(async () => {
  await closeAll();
  await house.close();
});

/** A person who notes what they are asked. */
function person(answers: Person): { asked: Question[]; person: Person } {
  const asked: Question[] = [];
  return {
    asked,
    person: (question) => {
      asked.push(question);
      return answers(question);
    },
  };
}

const yes: Person = () => ({ action: 'accept', content: { confirm: true } });

describe.each(eras)('a client of %s that can ask its person', (era) => {
  it('asks with the summary, and the call runs once they confirm it, on whatever replica', async () => {
    const { asked, person: confirming } = person(yes);
    const client = await open(house.url, era, { person: confirming });
    for (let version = 1; version <= 4; version++) {
      const { structured } = await client.call('publish', { version });
      expect(structured).toEqual({ data: { ran: 'publish', version } });
    }
    expect(asked).toHaveLength(4);
    expect(asked[0]?.message).toContain('Publish 1 article on "Example"\n+ "Spring news"\n- "Old news"');
    expect(asked[0]?.requestedSchema).toMatchObject({ properties: { confirm: { type: 'boolean' } } });
    const [first, second] = house.rooms.calls;
    expect(first).toMatchObject({ canElicit: true });
    expect(first).not.toHaveProperty('answer');
    expect(second?.answer).toMatchObject({ action: 'accept', confirm: true });
    expect(second?.callId).not.toBe(first?.callId);
  });

  it.each(['decline', 'cancel'] as const)('gets a refusal after %s, and the same call asks anew', async (action) => {
    const { asked, person: refusing } = person(() => ({ action }));
    const client = await open(house.url, era, { person: refusing });
    expect((await client.call('publish')).json).toMatchObject({ code: 'approval_rejected', applied: 'no' });
    await client.call('publish');
    expect(asked).toHaveLength(2);
    expect(house.rooms.calls.map((call) => call.answer?.action)).toEqual([undefined, action, undefined, action]);
  });

  it.each([
    ['confirm: false', { confirm: false }],
    ['no confirmation at all', {}],
    ['a text that says true', { confirm: 'true' }],
    ['no content', undefined],
  ])('never runs a call that was accepted with %s', async (_, content) => {
    const client = await open(house.url, era, { person: () => ({ action: 'accept', ...(content && { content }) }) });
    const answered = await client.call('publish').catch(() => undefined);
    expect(answered?.isError ?? true).toBe(true);
    expect(house.rooms.calls.some((call) => call.answer?.confirm === true)).toBe(false);
    expect(house.rooms.calls.length).toBeLessThan(20);
  });

  it('is never asked with a form where a signed-in person has to answer', async () => {
    const { asked, person: confirming } = person(yes);
    const client = await open(house.url, era, { person: confirming });
    const { json } = await client.call('make_public');
    const [approval] = house.rooms.approvals;
    const page = `https://studio.test/studio/approvals/${approval?.id}`;
    expect(asked).toEqual([]);
    expect(json).toMatchObject({ code: 'approval_required', details: { page, approval: approval?.id } });
    expect(json.next).toContain('signed-in person');
    expect(json.details).not.toHaveProperty('confirmToken');
    expect(approval?.state).toBe('pending');
  });

  it('opens the page in Studio where it can, and gets the result of what was decided there', async () => {
    const opened: Question[] = [];
    const client = await open(house.url, era, {
      capabilities: { elicitation: { form: {}, url: {} } },
      person: (question) => {
        opened.push(question);
        setTimeout(() => house.rooms.decide(house.rooms.approvals[0]!.id, 'approved'), 100);
        return { action: 'accept' };
      },
    });
    const { structured } = await client.call('make_public', { person: 'p1' });
    expect(structured).toEqual({ data: { ran: 'make_public', person: 'p1' } });
    expect(opened).toHaveLength(1);
    expect(opened[0]).toMatchObject({ mode: 'url', url: expect.stringContaining('/studio/approvals/appr_') });
    expect(house.rooms.calls.every((call) => call.answer === undefined)).toBe(true);
  });

  it('leaves the approval pending when its person does not open the page', async () => {
    const capabilities = { elicitation: { form: {}, url: {} } };
    const client = await open(house.url, era, { capabilities, person: () => ({ action: 'decline' }) });
    expect((await client.call('make_public')).json).toMatchObject({ code: 'approval_required' });
    expect(house.rooms.approvals[0]?.state).toBe('pending');
  });
});

describe.each(eras)('a client of %s that cannot ask', (era) => {
  it('gets a token to repeat the identical call with, once the person confirmed the summary', async () => {
    const client = await open(house.url, era);
    const { json, structured } = await client.call('publish', { version: 3 });
    const details = json.details as Record<string, unknown>;
    expect(structured).toBeUndefined();
    expect(json).toMatchObject({ code: 'approval_required', retryable: true, call_id: house.rooms.calls[0]?.callId });
    expect(json.next).toContain('Show details.summary to the person');
    expect(details.summary).toEqual({
      title: 'Publish 1 article on "Example"',
      lines: ['+ "Spring news"', '- "Old news"'],
    });
    expect(details.page).toBe(`https://studio.test/studio/approvals/${house.rooms.approvals[0]?.id}`);

    const other = await client.call('publish', { version: 4, confirmToken: details.confirmToken });
    expect(other.json).toMatchObject({ code: 'state_invalid' });
    const repeated = await client.call('publish', { version: 3, confirmToken: details.confirmToken });
    expect(repeated.structured).toEqual({ data: { ran: 'publish', version: 3 } });
  });

  it('may send the token in _meta instead', async () => {
    const client = await open(house.url, era);
    const { json } = await client.call('publish');
    const { confirmToken } = json.details as { confirmToken: string };
    const repeated = await client.call('publish', {}, { meta: { 'cloudhal.confirmToken': confirmToken } });
    expect(repeated.structured).toEqual({ data: { ran: 'publish' } });
  });
});

describe('a retry of the 2026-07-28 revision', () => {
  const asking = { elicitation: {} };
  const approve = { action: 'accept', content: { confirm: true } };

  async function call(more: object, capabilities: object = asking) {
    const { body, headers } = modern('tools/call', { name: 'publish', arguments: {}, ...more }, capabilities);
    return await answer(post(house.url, body, { headers }));
  }

  it('is asked again when it answers without the state, or sends the state without an answer (R18)', async () => {
    const { result } = await call({});
    const { requestState } = result;
    expect(result).toMatchObject({ resultType: 'input_required', inputRequests: { approve: {} } });
    for (const more of [{ inputResponses: { approve } }, { requestState }, { requestState, inputResponses: {} }]) {
      expect((await call(more)).result).toMatchObject({ resultType: 'input_required', requestState });
    }
    expect(house.rooms.calls.every((round) => round.answer === undefined)).toBe(true);
    expect((await call({ requestState, inputResponses: { approve } })).result).toMatchObject({
      structuredContent: { data: { ran: 'publish' } },
    });
  });

  it('that can no longer be asked gets the error and the token (R19)', async () => {
    await call({});
    const { result } = await call({}, {});
    expect(result).toMatchObject({ isError: true });
    expect(JSON.parse(result.content[0].text)).toMatchObject({
      code: 'approval_required',
      details: { confirmToken: expect.any(String) },
    });
  });

  it('with a state that is not ours, or has no measure, is refused', async () => {
    const { result } = await call({});
    const states = [`${result.requestState}x`, 'x'.repeat(100_000)];
    for (const requestState of states) {
      const refused = await call({ requestState, inputResponses: { approve } });
      expect(JSON.parse(refused.result.content[0].text)).toMatchObject({ code: 'state_invalid' });
    }
  });
});
