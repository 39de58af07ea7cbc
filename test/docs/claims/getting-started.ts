import { type Claims, test } from '../proofs.ts'

export const claims: Claims = {
  'Instead of zod (4.2 or later), any library works that implements Standard Schema with JSON Schema.': [
    test('packages/core/src/schema.test.ts', 'checks by any standard schema'),
    test('packages/core/src/schema.test.ts', 'says what to do about a schema without JSON Schema'),
  ],
  '`backend` | the step that the run repeats: `reasonAct()` by default, `route`, `delegate` or `graph`': [
    test('packages/core/src/agent.test.ts', 'thinks, acts, observes and answers'),
  ],
  "Never put your key into a page: run the agent on a server, or use the user's own key.": [
    test('test/e2e/keys.e2e.test.ts', 'row 9: a key that was typed is nowhere but in the requests'),
    test('test/e2e/keys.e2e.test.ts', 'row 9: keys of the environment are in no file of a build'),
  ],
  '`run.resume()` | continues a `failed` or `stopped` run': [
    test('packages/core/src/engine/localRun.test.ts', 'continues after a stop from the same host'),
    test('packages/core/src/engine/localRun.test.ts', 'continues after a failure from the same host'),
  ],
  "Resuming a run makes you its owner: the previous owner's next write fails with `journal_conflict`.": [
    test('packages/core/src/log/log.test.ts', 'stops one of two owners of a run'),
  ],
  'The open questions are open again, and no tool call runs twice unless its tool or a user allows it.': [
    test('packages/core/src/chaos.soak.test.ts', 'loses nothing and does nothing twice, whatever happens when'),
    test('packages/core/src/crash.soak.test.ts', 'comes to the same wherever it crashes: %s'),
  ],
}
