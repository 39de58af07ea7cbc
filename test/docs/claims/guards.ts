import { type Claims, constant, test } from '../proofs.ts'

export const claims: Claims = {
  '`guardInput(check)` | each user message | the model receives the new message | the run fails with `guard_blocked`': [
    test(
      'packages/core/src/steps/guardInput.test.ts',
      'gives the model a rewritten message in place of what the user said',
    ),
    test(
      'packages/core/src/steps/guardInput.test.ts',
      'ends the request for a blocked message, and never gives it to the model',
    ),
  ],
  '`guardOutput(stop, check)` | each answer of a stop rule | the run answers with the new output | the run fails with `guard_blocked`':
    [
      test('packages/core/src/steps/guardOutput.test.ts', 'changes what is answered'),
      test('packages/core/src/steps/guardOutput.test.ts', 'fails with the reason, and continues with the next message'),
    ],
  '**If a check throws, or takes longer than `timeoutMs` (60,000), nothing passes**: the run fails with `guard_failed`, and `resume` runs the check again.':
    [
      constant('packages/core/src/steps/verdict.ts', 'checkMs'),
      test(
        'packages/core/src/steps/guardInput.test.ts',
        'lets nothing through when the check %s, and judges again on resume',
      ),
      test('packages/core/src/steps/verdict.test.ts', '%s ends a check that never settles when its time is up'),
    ],
  "The agent's model never sees a blocked message, and the next message continues without it.": [
    test(
      'packages/core/src/steps/guardInput.test.ts',
      'ends the request for a blocked message, and never gives it to the model',
    ),
    test(
      'packages/core/src/steps/guardInput.laws.test.ts',
      'never gives the model a blocked message, and every other once (parallel: %s)',
    ),
  ],
  'A blocked answer stays in the log and in what the model sees, and may have streamed: to show only answers that passed, show `settled` and not `delta`.':
    [
      test(
        'packages/core/src/steps/guardOutput.test.ts',
        'keeps a blocked answer in the log and in what the model sees, and has streamed it',
      ),
    ],
  'Then the run fails with `answer_invalid`.': [
    test(
      'packages/core/src/steps/validate.test.ts',
      'fails with the last problem once the attempts are used up, given %s',
    ),
  ],
  "Each review is a model call that counts in the run's usage, at most five per request (`most`).": [
    constant('packages/core/src/steps/reflect.ts', 'most'),
    test(
      'packages/core/src/steps/reflect.test.ts',
      'reflects when it is set to, so often on one request, and again on the next',
    ),
  ],
  'Each is checked once, also after a reload: the log holds the verdicts, and the original text.': [
    test('packages/core/src/steps/guardInput.test.ts', 'judges a message once, in many turns and after a reload'),
    test(
      'packages/core/src/steps/guardOutput.test.ts',
      'judges an answer once, also when the page went away before the run settled',
    ),
    test(
      'packages/core/src/steps/guardCalls.test.ts',
      'judges each call once, also after a reload in the middle of the calls',
    ),
  ],
  'The model may retry twice per request (`attempts`).': [
    test(
      'packages/core/src/steps/validate.test.ts',
      'fails with the last problem once the attempts are used up, given %s',
    ),
  ],
  '`guardOutput(stop, check, { attempts: 2 })` gives the model the reason, twice, before the run fails.': [
    test(
      'packages/core/src/steps/guardOutput.test.ts',
      'sends a final answer back as what came of its call, and takes the next',
    ),
  ],
  '`postprocess<string>(textAnswer(), (answer) => withFooter(answer))` changes each answer once.': [
    test('packages/core/src/steps/postprocess.test.ts', 'works once for each answer, also after a reload'),
  ],
}
