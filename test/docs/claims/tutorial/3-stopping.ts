import { type Claims, test } from '../../proofs.ts'

export const claims: Claims = {
  '`enforce` reminds a model that only talks.': [
    test('packages/core/src/steps/enforce.test.ts', 'reminds twice and then takes the last text for the answer'),
    test('test/docs/programs.nightly.test.ts', 'prints what $name says'),
  ],
}
