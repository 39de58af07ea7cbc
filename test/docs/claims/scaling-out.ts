import { type Claims, constant, noClaim, test } from '../proofs.ts'

export const claims: Claims = {
  "It accepts files of runs only if it knows an agent's tools: use the handle `{ ...restateAgent({ … }), template: guide }`.":
    [
      test(
        'packages/server/src/restoreRun.test.ts',
        'takes a file back of a run that works elsewhere, where its agent is known here too',
      ),
    ],
  'A copy that died counts as gone after about ten seconds.': [
    test(
      'packages/restate/src/leasedPages.test.ts',
      'does not know what came of it when the page is gone, as it says or since no one gives a sign of life',
    ),
  ],
  '`retrying` | It failed 20 times in a row, after about a minute, and is still retried.': [
    constant('packages/restate/src/watchRestate.ts', 'attempts'),
    test('packages/restate/src/watchRestate.test.ts', 'reports what is retried, and of what becomes of it'),
  ],
  'If a deployment was unreachable for more than an hour, everything that was requested of it is paused, including reads of logs: resume each reported `runId`.':
    [test('test/restate/alarm.soak.restate.test.ts', 'reports a run that Restate has given up, and lets it continue')],
  'the agent is not deployed | `onFault(runId, error)` receives `agent_mismatch`. The run continues under any version that you deploy.':
    [test('test/restate/atWork.soak.restate.test.ts', 'waits to begin until its agent is deployed')],
  'an attempt fails repeatedly | After 720 attempts, about an hour, Restate pauses the run, and an alarm notifies you.':
    [
      constant('packages/restate/src/sdk.ts', 'maxAttempts'),
      test('test/restate/alarm.soak.restate.test.ts', 'reports a run that Restate has given up, and lets it continue'),
    ],
  'Restate does not answer | Requests are retried for `retryForMs`, half a minute by default; then the error says what to check. Workers retry forever.':
    [
      constant('packages/restate/src/restateAgent.ts', 'retryForMs', 'seconds'),
      test('packages/restate/src/ingress.test.ts', 'gives up a server that takes what is asked and never answers'),
    ],
  'a result is larger than one write | The run fails with `journal_full`. Let the tool return a reference, then call `run.resume()`.':
    [
      test(
        'test/restate/limits.restate.test.ts',
        'settles where a result is too large, and continues with a smaller one, over %s',
      ),
    ],
  "one write of a run; a run that is imported or forked | 10 MB; Restate's own hard limit is 32 MB": [
    constant('packages/restate/src/sentCommand.ts', 'mostChars', 'MB'),
    test(
      'test/restate/limits.restate.test.ts',
      'settles where a result is too large, and continues with a smaller one, over %s',
    ),
  ],
  'a tool or model call | ten minutes, or `segment: { effectMs }`': [
    constant('packages/restate/src/restateHost.ts', 'effectMs', 'minutes'),
  ],
  'runs that run at once | 1,000 per Restate partition, of which there are 24 by default; others queue, and `onFault` reports it':
    [test('test/restate/room.soak.restate.test.ts', 'continues with as many runs as there are places, over %s')],
  'On two slow, busy cores, 200 concurrent runs of 20 steps did 3,150 steps per second, and 1,460 with calls that are claimed before they start.':
    [noClaim('Measured, and not promised: the figures of one machine.')],
  'Of a deleted run, Restate keeps some hundred bytes without content.': [
    test('test/restate/limits.restate.test.ts', 'keeps nothing of runs that are old but how often they were claimed'),
  ],
  'Runs on Restate write their own logs, so a `redactingJournal` redacts only imported files and runs that execute elsewhere.':
    [
      test(
        'test/restate/atWork.soak.restate.test.ts',
        'is kept without secrets where it works elsewhere, by a journal that leaves them out',
      ),
    ],
  'The SDK needs the flag `nodejs_compat` and adds 1.6 MB of WebAssembly, which Wrangler bundles.': [
    noClaim('It is the size and the need of a foreign package.'),
  ],
  'Without bidirectional streaming a write costs Restate about ten times the work.': [
    noClaim('Measured, and not promised: the factor of one machine.'),
  ],
  'Register your handlers once:': [
    test('test/restate/documented.soak.restate.test.ts', '%s serves the runs that the documented client begins'),
  ],
  'Requests of a running run count there too: allow twice as many as there are running runs per partition.': [
    test('test/restate/room.soak.restate.test.ts', 'continues with as many runs as there are places, over %s'),
  ],
}
