import { describe, expect, it } from 'vitest';
import { activity } from './activity.ts';

describe('a decision', () => {
  it.each([
    ['studio', 'approved a call of'],
    [undefined, 'approved a call of'],
    ['elicitation', 'approved at the agent’s own client a call of'],
    ['confirm_token', 'approved at the agent’s own client a call of'],
  ])('made over %s says where', (channel, words) => {
    expect(activity.phrase('approval.approved', channel)).toBe(words);
    expect(activity.phrase('approval.consumed', channel)).toBe('ran what was approved:');
  });
});
