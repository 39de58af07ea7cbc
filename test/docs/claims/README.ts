import { type Claims, noClaim, test } from '../proofs.ts'

export const claims: Claims = {
  'The first one downloads its tools and packages (1.5 GB) into the clone.': [
    noClaim('Measured, and not promised: the size of the tools on one machine.'),
  ],
  'Then, on two cores, the playground is ready in half a minute, and the tests take four.': [
    noClaim('Measured, and not promised: the time on one machine.'),
  ],
  '**One run in many tabs** | If its tab closes, another takes over in a tenth of a second. Tabs': [
    test('test/docs/docs.test.ts', 'says of time only what the benchmarks measured'),
    test('packages/connect/src/tabs/acrossTabs.browser.test.ts', 'is taken over when its tab is gone'),
  ],
  '**Small and fast** | A first agent with one tool is 29 kB gzipped without its schema library (53 kB with zod). The core loads a third-party library only for `searchMemory` (minisearch), `compact` (tokenx) and JSON Schemas (@cfworker/json-schema). A turn costs less than 0.1 ms. Benchmarks':
    [
      test('test/docs/docs.test.ts', 'gives the sizes that the budget allows and the benchmarks measured'),
      test('packages/core/src/layers.test.ts', '%s imports no package at run time but its own library'),
      test('test/docs/docs.test.ts', 'says of time only what the benchmarks measured'),
    ],
  '**Nothing happens twice** | With a journal, a run survives reloads and crashes, and no tool call runs twice unless its tool or a user allows it. Proof':
    [
      test('packages/core/src/chaos.soak.test.ts', 'loses nothing and does nothing twice, whatever happens when'),
      test(
        'test/servers/processes.soak.survival.test.ts',
        'nothing is lost and nothing done twice, whenever processes die',
      ),
      test(
        'test/edge/survival.soak.workerd.test.ts',
        'nothing is lost and nothing done twice, whenever objects and processes die',
      ),
    ],
  '<br>Killed, and paid once | <br>The code of each run | <br>Runs become tests': [
    test('test/e2e/killedTrips.soak.e2e.test.ts', 'a run in “%s” that is killed while it pays, pays once'),
  ],
}
