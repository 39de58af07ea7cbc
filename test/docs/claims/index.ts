import { type Claims, test } from '../proofs.ts'

export const claims: Claims = {
  'A first agent is 38 kB.': [
    test('test/docs/docs.test.ts', 'gives the sizes that the budget allows and the benchmarks measured'),
  ],
}
