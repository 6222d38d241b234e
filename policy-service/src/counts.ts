import { counter } from '@cloudhal/shared/metrics';

const decisions = counter('cloudhal_policy_decisions_total', 'Calls that were decided, by result and rule.', [
  'result',
  'rule',
]);

export function countDecision(result: 'allow' | 'ask' | 'stored' | 'deny', rule: string): void {
  decisions.inc({ result, rule });
}
