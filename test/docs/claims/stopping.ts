import { type Claims, constant, test } from '../proofs.ts'

export const claims: Claims = {
  'By default an agent stops on plain text, or on its typed answer if it has an `output`, and asks a user after 20 iterations.':
    [
      constant('packages/core/src/agents/defaultBackend.ts', 'defaultIterations'),
      test('packages/core/src/agent.test.ts', 'thinks, acts, observes and answers'),
      test('packages/core/src/agent.test.ts', 'types the answer by the output schema'),
      test('packages/core/src/steps/limit.test.ts', 'has room for twenty iterations by default'),
    ],
  '`ms` is working time; waiting for users does not count, nor does the sleep of the machine or a clock that is set forward, from five seconds on.':
    [
      constant('packages/core/src/engine/runHost.ts', 'longGap', 'seconds'),
      test('packages/core/src/steps/limit.test.ts', 'does not count the time by which the clock is set forward'),
    ],
  'Your own `limits` replace the default of 20 iterations.': [
    test(
      'packages/core/src/steps/limit.test.ts',
      'has the limits that it is given alone, without that of twenty iterations',
    ),
  ],
  '**A model without a price costs 0**; `run.state.usage.unpricedTurns` counts such turns.': [
    test('packages/core/src/usage.test.ts', 'has no price for a model called %s'),
    test('packages/core/src/steps/think.test.ts', 'counts the usage of each turn, priced, and of all together'),
  ],
  'Without it, that reply ends the run with `stopped`.': [
    test('packages/core/src/steps/limit.test.ts', 'ends by a reply, and continues with the next message'),
  ],
  'With `finalAnswer`, a turn that only talks does not end the run: the model is reminded to continue.': [
    test('packages/core/src/capabilities/answer/finalAnswer.test.ts', 'reminds a model that only talks'),
  ],
  "With `whenExhausted: 'fail'`, or if the text does not fit the `output`, the run fails with `answer_missing`.": [
    test('packages/core/src/steps/enforce.test.ts', 'fails where %s'),
  ],
  '`noRepeats` | warns at the third call with the same input among the latest 20. The next one does not run, and the run fails with `call_repeated`':
    [
      constant('packages/core/src/steps/noRepeats.ts', 'within'),
      test(
        'packages/core/src/steps/noRepeats.test.ts',
        'warns of the third call that is the same, and ends the run at the next',
      ),
    ],
  '`stopped` | `stop` was called, or a user finished the run at a limit | `say`, `resume`': [
    test('packages/core/src/engine/localRun.test.ts', 'continues after a stop from the same host'),
    test('packages/core/src/steps/limit.test.ts', 'ends by a reply, and continues with the next message'),
  ],
}
