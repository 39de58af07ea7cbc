import { type Claims, test } from '../proofs.ts'

export const claims: Claims = {
  '`run.live(event)` | only notifies observers': [
    test('packages/core/src/log/observe.test.ts', 'is told of a live event of a step, which nothing else has'),
  ],
  'A pass that does nothing fails the run with `stalled`.': [
    test('packages/core/src/engine/localRun.test.ts', 'fails as stalled when a pass does nothing'),
  ],
  'An error of a step fails the run, with the code of an `AgentError` or else `step_failed`.': [
    test('packages/core/src/reasonless.test.ts', 'takes a step that throws %s for a failure'),
    test('packages/core/src/engine/localRun.test.ts', 'fails when a step %s'),
  ],
}
