import { describe, expect, it } from 'vitest';
import { readSummary } from './suite.ts';

const said = `Running scenarios

=== SUMMARY ===
✓ server-stateless: 29 passed, 0 failed
✗ tools-list: 3 passed, 1 failed
✗ tasks-lifecycle: 2 passed, 7 failed
✓ json-schema-2020-12: 2 passed, 0 failed

Total: 36 passed, 8 failed

Not scored for 2026-07-28: 2 scenario(s) run, 1 failing. These do not affect conformance.
  ✗ tasks-lifecycle (extension)
  ✓ json-schema-2020-12 (pending)
`;

describe('what the suite said', () => {
  it('counts the scenarios that the revision requires, and no others', () => {
    expect(readSummary(said, 1)).toEqual({ passed: ['server-stateless'], failed: ['tools-list'] });
  });

  it('is a failure when the suite ended badly though no scenario failed', () => {
    expect(readSummary(said.replace('✗ tools-list', '✓ tools-list'), 1).failed).toEqual(['the suite itself']);
  });

  it('is a failure when nothing ran', () => {
    expect(readSummary('', 0)).toEqual({ passed: [], failed: ['the suite itself'] });
  });
});
