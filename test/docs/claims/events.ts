import { type Claims, test } from '../proofs.ts'

export const claims: Claims = {
  'If one throws, only `onError` (or `reportError`) receives the error.': [
    test('packages/core/src/log/observe.test.ts', 'harms no one when it %s'),
    test('packages/core/src/log/observe.test.ts', 'reports the rejection of an async error hook'),
  ],
  'Each has `seq` (from 0), `at` (milliseconds) and `iteration`.': [
    test('packages/core/src/trace.test.ts', 'has one total order of events'),
  ],
  '`permitted`, `revoked` | a call that is always allowed, and a permission that is taken back': [
    test('packages/core/src/permission.test.ts', 'asks again after it is taken back, once and for all'),
  ],
  '`reduce(state, event)` is the only function that changes state, so the same log always gives the same state:': [
    test('packages/core/src/reduce.test.ts', 'gives for any log a new state, changes none, and continues from JSON'),
    test('packages/core/src/log/log.test.ts', 'keeps a log that gives the state'),
  ],
  'If the agent has tools, its text arrives only when the turn is over.': [
    test('packages/core/src/hideReasoning.test.ts', 'streams text at once where no turn can call a tool'),
    test('packages/core/src/hideReasoning.test.ts', 'gives text that was held back just before its turn'),
  ],
  '`pastRun(events, { at: 7 })` is a read-only `Run` at that event, for a component that shows it.': [
    test('packages/core/src/history/pastRun.test.ts', 'is what the run was at each position of its log'),
    test('packages/core/src/history/pastRun.test.ts', 'is changed by nothing, and says what to do instead'),
  ],
  'approvals are asked for again, and nothing is always allowed.': [
    test('packages/core/src/journal/imported.test.ts', 'row 21: asks everything again once a user continues %s'),
    test('packages/core/src/permission.test.ts', 'clears what was allowed in a file, and keeps it in a fork'),
  ],
  '`fork` starts a new run with the events up to number `at` (its `seq`), from a file, a run object, or the id of a run in the journal.':
    [
      test('packages/core/src/journal/fork.test.ts', 'continues from every position of every run'),
      test('packages/core/src/journal/exportRun.test.ts', 'forks a run object, and one of the journal by its id'),
    ],
  'an approved call that had not started is asked about again, unless your edit is that approval or it is always allowed;':
    [
      test(
        'packages/core/src/journal/consent.test.ts',
        'asks again where a place is named, and takes an approval that is edited there',
      ),
      test('packages/core/src/permission.test.ts', 'clears what was allowed in a file, and keeps it in a fork'),
    ],
  'A copy is a separate run: what was open in the file is done once by each.': [
    test('packages/core/src/journal/runFiles.test.ts', 'imports a file twice at once as two runs'),
    test('packages/core/src/journal/imported.test.ts', 'asks about a begun call even if its tool needs no approval'),
  ],
}
