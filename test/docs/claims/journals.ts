import { type Claims, constant, test } from '../proofs.ts'

export const claims: Claims = {
  'A tool starts only after its call is persisted, and a call whose result is persisted never runs again.': [
    test('packages/core/src/log/log.test.ts', 'starts no tool before the thought and the claim are in the journal'),
    test(
      'packages/core/src/keptRuns.test.ts',
      'continues with %s from its end and from each position, and repeats nothing that is done',
    ),
  ],
  'If a newer version of the page in another tab upgrades the database, runs of the older tab fail with `journal_failed`, and the message asks the user to reload.':
    [
      test(
        'packages/core/src/journal/indexedDb/indexedDbJournal.browser.test.ts',
        'makes room for a newer version in another tab, and asks to load the page again',
      ),
    ],
  'What had arrived is persisted as a draft after five seconds of streaming and at growing intervals.': [
    constant('packages/core/src/log/drafts.ts', 'firstWaitMs', 'seconds'),
    test('packages/core/src/log/drafts.test.ts', 'keeps a short turn after five seconds, and then ever more rarely'),
  ],
  'After a reload it is shown as a turn with the error `interrupted`; the model does not receive it.': [
    test(
      'packages/core/src/log/drafts.test.ts',
      'keeps what had arrived of a long turn when its page went away, and asks for the turn again',
    ),
  ],
  '`savedRun()` throws `log_invalid` if what you saved is damaged.': [
    test(
      'packages/core/src/tamperedRuns.soak.test.ts',
      'resumes or refuses a thousand damaged %s, and has done nothing with what it refuses',
    ),
  ],
  'The run fails with the code `journal_full`.': [
    test(
      'packages/core/src/log/writer.test.ts',
      'settles when the journal is full, runs no tool, and writes everything once there is room',
    ),
  ],
  'If one is damaged, or of a newer format, `resume` rejects with `log_invalid` and changes nothing.': [
    test('packages/core/src/checkLog.test.ts', 'refuses a log before anything is done with it'),
    test('packages/core/src/format.test.ts', 'reads every format up to its own, and takes none for the first'),
  ],
  'the current node of a graph is gone | the run fails with `state_invalid`; the next `say()` starts the graph from the beginning':
    [
      test(
        'packages/core/src/changedCode.test.ts',
        'fails with what to do when the node is gone where a run stands, and begins again with the next message',
      ),
    ],
  'the agent was renamed | `resume` rejects with `agent_mismatch` unless you pass `renamedFrom`': [
    test('packages/core/src/checkLog.test.ts', 'refuses the run of another agent, unless it had that name before'),
  ],
  'The next write of a previous owner, such as a tab that slept, fails with `journal_conflict`: nothing of it reaches the log, and no tool starts.':
    [
      test('packages/core/src/log/log.test.ts', 'stops one of two owners of a run'),
      test(
        'packages/core/src/journal/indexedDb/indexedDbJournal.browser.test.ts',
        'takes a run over in the middle of a tool, and nothing more from the tab that had it',
      ),
    ],
  'If the journal says that its failure may pass, such as a lost connection, a failover or a lock, the write is tried again at growing intervals for five minutes.':
    [
      constant('packages/core/src/log/writer.ts', 'giveUpMs', 'minutes'),
      test(
        'packages/core/src/log/saving.test.ts',
        'tries a write again until the journal is back, says so meanwhile, and does everything once',
      ),
    ],
  'After the five minutes, and at once with any other failure, the run fails with `journal_failed`; its log is complete in memory, and `resume()` writes it.':
    [
      constant('packages/core/src/log/writer.ts', 'giveUpMs', 'minutes'),
      test('packages/core/src/log/saving.test.ts', 'fails after minutes, and then is resumed as before'),
      test('packages/core/src/log/saving.test.ts', 'fails at once with %s'),
    ],
  "A conflict is therefore compared with the log first, and only another owner's events or claim end a run with `journal_conflict`.":
    [
      test(
        'packages/core/src/log/writer.test.ts',
        'continues if the answer to write %i is lost, and does nothing twice',
      ),
      test('packages/core/src/log/writer.test.ts', 'yields to who continued behind a write whose answer was lost'),
    ],
  'A journal is four functions over any storage that can compare and write atomically:': [
    test('packages/core/src/log/writer.test.ts', 'writes by seq alone where the journal knows no owners'),
    test('packages/core/src/journal/memoryJournal.test.ts', 'is asked on the journal itself by the whole suite'),
  ],
  'other errors | One named `QuotaExceededError` becomes `journal_full`, any other `journal_failed`. With `isRetryable: true`, or as an `AgentError` that is `retryable`, the write is tried again.':
    [
      test(
        'packages/core/src/log/writer.test.ts',
        'settles when the journal is full, runs no tool, and writes everything once there is room',
      ),
      test('packages/core/src/log/saving.test.ts', 'fails at once with %s'),
      test(
        'packages/core/src/log/saving.test.ts',
        'tries a write again until the journal is back, says so meanwhile, and does everything once',
      ),
    ],
  '`watch(listener)` | Optional: notify lists of runs of changes, and return a function that unsubscribes. Without it a list shows only changes of its page.':
    [
      test(
        'packages/react/src/history/history.test.tsx',
        'shows that a run works again after a reply, also with a journal without notifications',
      ),
      test(
        'packages/react/src/history/history.test.tsx',
        'shows what others write, as another tab or a worker does, with the status %s',
      ),
    ],
  'If a tool must not run twice, use a journal.': [
    test(
      'packages/core/src/keptRuns.test.ts',
      'continues with %s from its end and from each position, and repeats nothing that is done',
    ),
  ],
}
