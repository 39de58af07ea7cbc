import { type Claims, test } from '../proofs.ts'

export const claims: Claims = {
  '`CommandQueue` | executes each command once': [
    test(
      'packages/connect/src/owner.test.ts',
      'does a resumption once, also one that is repeated after the run has settled again',
    ),
    test('packages/connect/src/owner.test.ts', 'takes the same reply again for done'),
  ],
  '`Registry`, `IdleRegistry` | runs by id, each opened once; the second releases runs that are not in use': [
    test('packages/connect/src/worker/hostedRuns.test.ts', 'opens a run once, however many ask for it'),
    test('packages/connect/src/idleRegistry.test.ts', 'releases an item only after the whole time since its last use'),
  ],
}
