// Adds up what the runs wrote, and prints the one line that says how it went.
import { existsSync, readFileSync } from 'node:fs';

const [, , folder, status] = process.argv;
const read = (name) =>
  existsSync(`${folder}/${name}`) ? JSON.parse(readFileSync(`${folder}/${name}`, 'utf8')) : undefined;

const tests = read('tests.json');
const conformance = read('conformance.json');
const passed = (tests?.numPassedTests ?? 0) + (conformance?.passed ?? 0);
let failed = (tests?.numFailedTests ?? 0) + (conformance?.failed ?? 0);
// A suite that could not start, a linter's finding or a run that wrote nothing counts as one failure.
if (failed === 0 && (status !== '0' || !tests?.success || conformance === undefined)) failed = 1;

// Named once more at the end, where a reader of a long log looks first.
for (const file of tests?.testResults ?? []) {
  const name = file.name.replace(`${process.cwd()}/`, '');
  const broken = file.assertionResults.filter((test) => test.status === 'failed');
  if (file.status === 'failed' && broken.length === 0) console.log(`FAILED ${name}: ${file.message}`);
  for (const test of broken) console.log(`FAILED ${name} > ${test.fullName}\n${test.failureMessages.join('\n')}`);
}

console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
