import { type Claims, test } from '../../proofs.ts'

export const claims: Claims = {
  'A writer and a critic alternate until the critic is satisfied, or for three rounds.': [
    test('test/docs/programs.nightly.test.ts', 'prints what $name says'),
  ],
  "The graph's agent needs no model: only its agent nodes do.": [
    test(
      'packages/core/src/graph/graph.test.ts',
      'needs no model where only its agents think, and says so where another step asks one',
    ),
  ],
  'A `wait` node waits; after a reload it waits only for the remaining time.': [
    test('packages/core/src/graph/wait.test.ts', 'waits for what is left after a reload'),
    test('test/docs/programs.nightly.test.ts', 'prints what $name says'),
  ],
}
