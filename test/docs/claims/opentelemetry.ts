import { type Claims, constant, noClaim, test } from '../proofs.ts'

export const claims: Claims = {
  'There is no span `step {n}`, durations are metrics only, and the time to the first chunk is `gen_ai.response.time_to_first_chunk`.':
    [
      test('packages/otel/src/otel.test.ts', 'traces a run as an agent with its turns and tools'),
      test(
        'packages/otel/src/metrics.test.ts',
        'records the histograms of the conventions, and no names that a model made up',
      ),
    ],
  'An attribute has at most 16,384 characters (`maxLength`).': [
    constant('packages/otel/src/otel.ts', 'maxLength'),
    test('packages/otel/src/content.test.ts', 'records no beginning of a secret that the maximum length cuts'),
  ],
  'Bytes of files are never recorded.': [
    test('packages/otel/src/content.test.ts', 'records that a message has a file, and never its bytes'),
  ],
  'Tracing adds 20 µs to an iteration, and content 50 µs.': [
    noClaim('Measured, and not promised: the cost on one machine.'),
  ],
  '`traceIds` makes its ids of a seed: exported twice, it is the same trace.': [
    test('packages/otel/src/exportTrace.test.ts', 'gives the same ids for the same log, and others for another'),
  ],
}
