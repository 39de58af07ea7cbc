import { type Claims, constant, test } from '../proofs.ts'

export const claims: Claims = {
  '**Event types and their members are only added** within a format.': [
    test('packages/core/src/keptRuns.test.ts', 'reads %s: its log gives its state, and it is imported and replayed'),
    test('packages/core/src/keptRuns.test.ts', 'has a sample of each kind, and the files as they were written'),
  ],
  'Their meaning never changes.': [
    test('packages/core/src/keptRuns.test.ts', 'reads %s: its log gives its state, and it is imported and replayed'),
  ],
  '**A version rejects what it does not know**, with `log_invalid` and a message that says what to update.': [
    test('packages/core/src/format.test.ts', 'reads every format up to its own, and takes none for the first'),
    test('packages/core/src/checkLog.test.ts', 'refuses a log before anything is done with it'),
  ],
  'It never guesses, never skips an event, and writes nothing to that log.': [
    test('packages/core/src/checkLog.test.ts', 'refuses a log before anything is done with it'),
  ],
  'the format of a log | `format` of its first event, `started`. It is missing in format 1, the current one': [
    constant('packages/core/src/state.ts', 'logFormat'),
    test('packages/core/src/format.test.ts', 'makes events of format %i those of the newest'),
  ],
}
