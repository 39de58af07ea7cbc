import { type Claims, noClaim, test } from '../proofs.ts'

export const claims: Claims = {
  'Events are plain JSON, and `reduce(state, event, changes)` is the only code that changes state.': [
    test('packages/core/src/log/log.test.ts', 'keeps a log that gives the state'),
    test('packages/core/src/reduce.test.ts', 'gives for any log a new state, changes none, and continues from JSON'),
  ],
  'Where a run can check a rule, breaking it ends the run with `invariant_broken`.': [
    test(
      'packages/core/src/steps/performCall.test.ts',
      'ends the run where a rule does not hold that is checked while it works',
    ),
  ],
  'I1 | A tool starts only when the journal has its `claimed` event. | `log/writer`, `calls/executeTool`': [
    test(
      'packages/core/src/promises.test.ts',
      'I1: starts no tool before the journal has its claim, however many run next to each other',
    ),
  ],
  'I3 | `say`, `reply`, `once`, `ask` and a pause settle only when what they promise is durable. | `log/writer`, `capabilities/questions/openQuestions`, `engine/settling`':
    [
      test(
        'packages/core/src/promises.test.ts',
        'I3: gives the second caller of a key its value only when the journal has it',
      ),
      test(
        'packages/core/src/promises.test.ts',
        'I3: settles with what the journal said when it cannot write the rest, and has it afterwards',
      ),
      test('packages/core/src/log/log.test.ts', 'tells a rest only when it is in the journal'),
      test('packages/core/src/log/log.test.ts', 'tells a question only when it is in the journal'),
    ],
  'I10 | A call moves only along the ways of its table, and one with a result moves no more. | `changes/questions.ts`, `call.ts`, `journal/callMoves.ts`':
    [test('packages/core/src/journal/callMoves.test.ts', 'judges a call that %s')],
  'I5 | An effect that may already have run is never repeated, unless a user says so, for each attempt. | `calls/repeat`, `call.ts`, `changes/questions.ts`, `capabilities/questions/askInCall`, `calls/performCall`':
    [
      test('packages/core/src/promises.test.ts', 'I5: repeats nothing unasked that was done with an answer %s'),
      test(
        'packages/core/src/steps/endOfCall.test.ts',
        'I5: asks about a call whose time is up, and does not tell the model that it failed',
      ),
    ],
  'I8 | Only a user or a step stops a run. A write whose response is lost, late or doubled ends none. | `log/ownedJournal`':
    [
      test(
        'packages/core/src/log/ownedJournal.test.ts',
        'no run ends that no user has ended, and no effect is repeated, whatever becomes of the responses',
      ),
    ],
  'An effect happens exactly once only if the other side honours the idempotency key.': [
    test('packages/core/src/effects.test.ts', 'runs a tool again under its key where that does no harm'),
  ],
  'If a browser freezes a tab right before a request leaves, and a user elsewhere says that the call did not run, it runs twice when the tab wakes.':
    [noClaim('It tells what nobody can prevent, and what a user has to know.')],
}
