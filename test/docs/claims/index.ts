import { type Claims, test } from '../proofs.ts'

export const claims: Claims = {
  'A first agent is 29 kB.': [
    test('test/docs/docs.test.ts', 'gives the sizes that the budget allows and the benchmarks measured'),
  ],
  'No tool call runs twice unless its tool or the user allows it. link: /journals linkText:': [
    test('packages/core/src/chaos.soak.test.ts', 'loses nothing and does nothing twice, whatever happens when'),
  ],
}
