import { type Claims, constant, noClaim, test } from '../proofs.ts'

export const claims: Claims = {
  'Pass a function that creates the worker: then runs fail with `worker_failed`, and the page still renders.': [
    test(
      'packages/connect/src/worker/link.test.ts',
      'fails the runs of a page that may not create its worker, and throws nothing',
    ),
  ],
  "The page imports only the agent's type, none of its code.": [
    test('test/docs/blocks.test.ts', 'type-checks every block of code of every page, under strict'),
  ],
  '`run.close()` releases a run in this page: it settles here with `stopped`, and continues in the worker.': [
    test('packages/connect/src/worker/closeRun.test.ts', 'continues a run in the worker that is closed in the page'),
  ],
  'a `SharedWorker` | the run is not affected | ends within a second; `resume` from the journal': [
    noClaim('It says when browsers end a shared worker, which no page decides.'),
  ],
  'Chromium 148 or later keeps such a worker for 300 seconds without a tab; other browsers ignore the option.': [
    noClaim('It says what browsers do with the option, which they alone read.'),
  ],
  'several pages show the run and have the function | exactly one runs the call, the most recently used': [
    test('packages/connect/src/clientTool.test.ts', 'has exactly one page perform it, the one that was used last'),
  ],
  'the page does not take a call for 15 seconds: it is frozen, or its connection is dead | another page runs it. Without one, `effect` decides, as in the next row':
    [
      constant('packages/connect/src/toolCalls.ts', 'clientGraceMs', 'seconds'),
      test(
        'packages/connect/src/page.test.ts',
        'counts a page as silent that does not take a call within 15 seconds, and not one that takes it',
      ),
      test('packages/connect/src/worker/presence.test.ts', 'has the next page run what may happen twice'),
      test(
        'packages/connect/src/worker/presence.test.ts',
        'has a user asked about what may not, and gives the page that is back its new calls',
      ),
    ],
  "the page dies or is left during a call | the tool's `effect` decides: the next page repeats a `readOnly` or `idempotent` call; for `atMostOnce`, the default, the run asks a user":
    [
      test('packages/connect/src/clientTool.test.ts', 'has the next page perform what is %s when one dies'),
      test(
        'packages/connect/src/clientTool.test.ts',
        'asks a user when a page dies in the middle of what may not happen twice',
      ),
    ],
  "The agent of a worker can call a model of the page, such as the browser's own or one whose key only the page has:": [
    test('packages/connect/src/pageModel.test.ts', 'asks the model of the page, and relays what it streams'),
  ],
  'If it dies, is left, or its model never begins, the turn is requested again from another page.': [
    test('packages/connect/src/pageModel.test.ts', 'asks the next page when one dies in the middle of a turn'),
    test('packages/connect/src/pageModel.test.ts', 'asks another page after one whose model never began'),
  ],
  "Without a page a call waits `waitMs`, half a minute by default, and fails; then the agent's next model is used.": [
    constant('packages/connect/src/pageModel.ts', 'waitMs', 'seconds'),
    test('packages/connect/src/pageModel.test.ts', 'fails with what to do where no page has the model'),
  ],
  'it cannot be loaded, does not answer for half a minute, has another version, or lacks the agent | the run fails with `worker_failed`, and the message says why':
    [
      test('packages/connect/src/worker/link.test.ts', 'fails if there is no answer'),
      test(
        'packages/connect/src/worker/link.test.ts',
        'fails where the worker has no agent of that name, and says which it has',
      ),
      test('packages/connect/src/worker/link.test.ts', 'fails where page and worker are of different versions'),
      test('packages/connect/src/worker/link.test.ts', 'fails where the worker cannot be loaded'),
    ],
  'it crashes, or is terminated | it is created again, and its runs continue from the journal: a question stays open, and a reply is sent to the new worker. A run that was not stored fails with `worker_failed`':
    [
      test(
        'packages/connect/src/worker/presence.test.ts',
        'creates a worker again that has ended, and keeps its questions open',
      ),
      test('packages/connect/src/worker/presence.test.ts', 'fails a run that was not stored and begun, if %s'),
    ],
  'it ends four times in a row, each within ten seconds | running runs fail with `worker_failed`; it is created again for the next command or run':
    [
      constant('packages/connect/src/worker/link.ts', 'quickMs', 'seconds'),
      test('packages/connect/src/worker/presence.test.ts', 'gives up a worker that ends again and again'),
      test('packages/connect/src/worker/presence.test.ts', 'creates a worker again after it was given up, for a %s'),
    ],
  'it does not answer a reply, a stop or a resumption for a minute | that is refused with `worker_failed`; the run is not affected':
    [
      constant('packages/connect/src/worker/workerRequests.ts', 'answerMs', 'minutes'),
      test('packages/connect/src/worker/presence.test.ts', 'refuses a command that a worker does not answer'),
    ],
  "Pass a function that creates the worker, as above, since an object cannot be created again: with `workerAgent(worker, 'guide')`, running runs fail with `worker_failed` when the worker ends, settled runs are not affected, and each command is refused.":
    [
      test(
        'packages/connect/src/worker/link.test.ts',
        'fails what works when the worker dies, and leaves alone what settles',
      ),
    ],
}
