import { type Claims, constant, noClaim, test } from '../proofs.ts'

export const claims: Claims = {
  'Temporary failures, such as a lost connection, are retried twice by default, after the time in `retry-after` or doubling waits.':
    [
      constant('packages/core/src/steps/askModels.ts', 'retries'),
      test('packages/core/src/steps/retryDelay.test.ts', 'waits as long as %j says'),
      test('packages/core/src/steps/retryDelay.test.ts', 'doubles its own time where %j says nothing of use'),
    ],
  'After that, or if the provider asks for more than a minute, the next model of the list is called; other failures call it at once.':
    [
      constant('packages/core/src/steps/retry.ts', 'longest', 'minutes'),
      test('packages/core/src/steps/think.test.ts', 'asks the next model when one fails, and says which'),
      test('packages/core/src/steps/think.test.ts', 'asks the next model rather than wait for an hour'),
    ],
  '`maxMs` | 600,000 | the time of a turn': [
    constant('packages/core/src/steps/turnReader.ts', 'maxMs'),
    test('packages/core/src/steps/think.test.ts', 'ends a turn that takes too long, though the model continues'),
  ],
  '`idleMs` | 120,000 | the time without a part of the stream': [
    constant('packages/core/src/steps/turnReader.ts', 'idleMs'),
    test('packages/core/src/steps/think.test.ts', 'ends a turn in which nothing arrives'),
  ],
  '`maxCharacters` | 2,000,000 | what the model writes': [
    constant('packages/core/src/steps/turnReader.ts', 'maxCharacters'),
    test('packages/core/src/steps/think.test.ts', 'ends a turn of too many %s, though the model continues'),
  ],
  "`maxBytes` | 32,000,000 | files, sources, results of the provider's own tools, and metadata": [
    constant('packages/core/src/steps/turnReader.ts', 'maxBytes'),
    test('packages/core/src/steps/think.test.ts', 'ends a turn of too many %s, though the model continues'),
  ],
  "If your own `LanguageModelV4` reads long prompts on a slow device, enqueue a part such as `{ type: 'ping' }` whenever it reports progress; otherwise a silence of `idleMs` ends the turn with `model_idle`, and it is requested again from the start.":
    [
      test(
        'packages/core/src/steps/think.test.ts',
        'does not take a model for silent that reports its progress in parts that no one knows',
      ),
    ],
  '`unavailable` | Offer another model: Chrome wants 22 GB of free disk, and 4 GB of video memory or 16 GB of memory': [
    noClaim('They are the needs of Chrome, which checks them itself.'),
  ],
  'A conversation that is too long fails with `context_full`: use `compact`, or continue with another model.': [
    test(
      'packages/core/src/steps/compact/retryCompacted.test.ts',
      'fails where the model refuses twice in a row, and tries again when told to',
    ),
  ],
  'It reads text only.': [
    test(
      'packages/browser/src/builtIn/builtInModel.test.ts',
      'warns of what it does not take, and says of files that they are there',
    ),
  ],
  '`downloadable`, `downloading` | Call `prepare({ onProgress, signal })` in a click. It needs several gigabytes, once':
    [noClaim('It is the size of a model that Chrome loads, which Chrome decides.')],
}
