import { type Claims, test } from '../../proofs.ts'

export const claims: Claims = {
  'Errors never throw out of a run.': [
    test('packages/core/src/steps/think.test.ts', 'gives up after its attempts, and says with what'),
    test('packages/core/src/engine/localRun.test.ts', 'fails when a step %s'),
    test('packages/core/src/reasonless.test.ts', 'takes a model that rejects with %s for a failure'),
  ],
}
