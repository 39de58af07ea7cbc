import { type Claims, constant, noClaim, test } from '../proofs.ts'

export const claims: Claims = {
  'Three kinds of tests, from a unit test to an evaluation:': [noClaim('It counts the sections of the page.')],
  'Question ids never vary:': [
    test('packages/core/src/trace.test.ts', 'has one total order of events'),
    test('packages/core/src/trace.test.ts', 'is the same byte for byte when it runs again'),
  ],
  '`manualHost()`, for the option `host`, counts ids and has a clock that moves only with `await host.advance(ms)`.': [
    test('packages/core/src/engine/localRun.test.ts', 'takes its time and its ids from the host'),
  ],
  'The command exits with 1 if there is a difference.': [
    test('packages/testing/src/cli/main.test.ts', 'fails with the first difference in plain words'),
  ],
  'data set | CSV with the columns `input`, `expected` and `id`, or JSONL; at most 10,000 cases and 10 MB': [
    constant('packages/testing/src/evaluate/readCases.ts', 'mostCases'),
    constant('packages/testing/src/evaluate/readCases.ts', 'longestFile', 'MB'),
    test('packages/testing/src/evaluate/readCases.test.ts', 'refuses more than ten thousand cases'),
  ],
  'scorer in code | `exact()`, `contains()`, `jsonEqual()`, or a function that returns a boolean, a number from 0 to 1, or `{ score, why }`':
    [
      test(
        'packages/testing/src/evaluate/evaluate.test.ts',
        'counts what fails, takes too long or cannot be scored as not passed, and says why',
      ),
    ],
  'limits | `limits: { concurrency: 4, timeoutMs: 120_000 }` are the defaults': [
    constant('packages/testing/src/evaluate/evaluate.ts', 'runsAtOnce'),
    constant('packages/testing/src/evaluate/evaluate.ts', 'runMs'),
  ],
  'The command exits with 1 if fewer than `--min` percent pass, 100 by default.': [
    test('packages/testing/src/cli/main.test.ts', 'prints pass rates of a data set, and fails below the wanted rate'),
  ],
}
