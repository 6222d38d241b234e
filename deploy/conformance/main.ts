/** The official conformance suite against the gateway, for both protocol revisions. No list of expected failures. */
import { writeFileSync } from 'node:fs';
import { startProxy } from './proxy.ts';
import { type Outcome, revisions, runSuite } from './suite.ts';
import { startTarget } from './target.ts';

const outcomes: Outcome[] = [];
const proxy = await startProxy();
try {
  const target = await startTarget(proxy.url);
  try {
    proxy.to(target);
    for (const revision of revisions) outcomes.push(await runSuite(`${proxy.url}/mcp`, revision));
  } finally {
    await target.stop();
  }
} finally {
  await proxy.stop();
}

const passed = outcomes.flatMap((outcome) => outcome.passed).length;
const failed = outcomes.flatMap((outcome) => outcome.failed).length;
for (const { revision, ...outcome } of outcomes) {
  const failures = outcome.failed.length > 0 ? `: ${outcome.failed.join(', ')}` : '';
  console.log(
    `${revision}: ${outcome.passed.length} required scenarios passed, ${outcome.failed.length} failed${failures}`,
  );
}
console.log(`conformance: ${passed} passed, ${failed} failed`);
const report = process.env.CLOUDHAL_CONFORMANCE_REPORT;
if (report) writeFileSync(report, JSON.stringify({ passed, failed }));
process.exitCode = failed === 0 ? 0 : 1;
