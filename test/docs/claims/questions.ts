import { type Claims, constant, test } from '../proofs.ts'

export const claims: Claims = {
  '`text({ prompt, placeholder, multiline, minLength, maxLength })` | `string`, of at most 10,000 characters by default':
    [
      constant('packages/core/src/capabilities/questions/ask.ts', 'maxLength'),
      test('packages/core/src/ask.test.ts', 'bounds what has no bounds of its own'),
    ],
  'Interleave itself asks three kinds:': [
    test('packages/core/src/steps/performCall.test.ts', 'asks a user before the tool runs, showing the input'),
    test('packages/core/src/steps/limit.test.ts', 'continues for as much longer as the reply says'),
    test('packages/core/src/steps/act.test.ts', 'asks the app for the result of a tool without a function'),
  ],
  'The same happens on hosts that free a run while it waits: a server a minute after the last client left, Durable Objects and Restate after seconds.':
    [
      constant('packages/server/src/liveRuns.ts', 'idleMs', 'minutes'),
      test(
        'packages/server/src/liveRuns.test.ts',
        'lets go of a run that settles and is kept, also while the journal is away',
      ),
      test(
        'test/edge/hibernation.soak.workerd.test.ts',
        'leaves memory although a page looks, and the page learns of all that follows',
      ),
    ],
  'A function of `once` is never started a second time while it works: a call that its user has run again waits for it.':
    [
      test(
        'packages/core/src/steps/abandonedOnce.test.ts',
        'I5: starts no second function of once while the first still works, if a user has the call run again',
      ),
    ],
  'It should only check and convert; look up a rate in `once`, or the tool gets another value after a reload.': [
    test(
      'packages/core/src/capabilities/questions/openQuestions.test.ts',
      'keeps the results of once for a step across a reload',
    ),
  ],
  'So put what must not happen twice before an `ask` into `once`:': [
    test(
      'packages/core/src/capabilities/questions/openQuestions.test.ts',
      'continues after a reload between two questions, and does nothing twice',
    ),
  ],
}
