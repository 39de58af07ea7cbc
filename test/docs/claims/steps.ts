import { type Claims, test } from '../proofs.ts'

export const claims: Claims = {
  '`run.live(event)` | only notifies observers': [
    test('packages/core/src/log/observe.test.ts', 'receives a live event of a step, which nothing else has'),
  ],
  'A pass that does nothing fails the run with `stalled`.': [
    test('packages/core/src/engine/localRun.test.ts', 'fails as stalled when a pass does nothing'),
  ],
  'An error of a step fails the run, with the code of an `AgentError` or else `step_failed`.': [
    test('packages/core/src/reasonless.test.ts', 'takes a step that throws %s for a failure'),
    test('packages/core/src/engine/localRun.test.ts', 'fails when a step %s'),
  ],
  '`run.once(key, fn)` | does something once per run. **It runs again, without a question, if a crash interrupts it**: pay in a tool':
    [
      test('packages/core/src/capabilities/questions/openQuestions.test.ts', 'runs once what runs at the same time'),
      test(
        'packages/core/src/capabilities/questions/openQuestions.test.ts',
        'keeps the results of once for a step across a reload',
      ),
    ],
  "`sideCall(run, { key, prompt })` | calls a model next to the conversation, once per key; its tokens count in the run's usage":
    [
      test(
        'packages/core/src/steps/sideCall.test.ts',
        'asks a model next to the conversation, once per run, and counts what it took',
      ),
      test('packages/core/src/steps/sideCall.test.ts', 'has the answer after a reload'),
    ],
}
