import { type Claims, constant, test } from '../proofs.ts'

export const claims: Claims = {
  'When the prompt reaches `ratio` (0.8) of the `contextWindow`, `compact` shortens the older part of the history to `target` (half of `ratio`).':
    [
      constant('packages/core/src/steps/compact/compact.ts', 'ratio'),
      test(
        'packages/core/src/steps/compact/compact.test.ts',
        'shortens to half of `ratio`, by results first, then by a summary, and by old turns if that fails',
      ),
      test(
        'packages/core/src/steps/compact/compact.test.ts',
        'gives the model less once the context fills up, again and again, and keeps the whole history',
      ),
    ],
  "**Only the model's prompt changes.**": [
    test(
      'packages/core/src/steps/compact/compact.test.ts',
      'gives the model less once the context fills up, again and again, and keeps the whole history',
    ),
  ],
  "The user's first and current requests stay, and so do the latest `keep` (6) entries if there is room.": [
    constant('packages/core/src/steps/compact/compact.ts', 'keep'),
    test(
      'packages/core/src/steps/compact/segment.test.ts',
      'keeps what is recent in whole segments, and the latest turn in any case',
    ),
  ],
  'If instructions, tools and latest messages alone exceed the window, the run fails with `context_full`.': [
    test(
      'packages/core/src/steps/compact/compact.test.ts',
      'fails when the message itself is too much, and each time again',
    ),
  ],
  '`cutResults({ except, upTo })` | the same, with each result cut to `upTo` (50) tokens in its middle': [
    constant('packages/core/src/steps/compact/cutResults.ts', 'upTo'),
  ],
  'The default is `[cutResults(), summarize(), dropTurns()]`.': [
    test(
      'packages/core/src/steps/compact/compact.test.ts',
      'shortens to half of `ratio`, by results first, then by a summary, and by old turns if that fails',
    ),
  ],
  "At the start of each request `remember` searches for the `limit` (5) best items, and adds them next to the user's message.":
    [
      constant('packages/core/src/steps/memory/remember.ts', 'limit'),
      test('packages/core/src/steps/memory/remember.test.ts', 'reminds a later run of what was said in an earlier one'),
    ],
  'A memory that fails, or takes longer than `timeoutMs` (5,000), does not stop the run.': [
    constant('packages/core/src/steps/memory/remember.ts', 'timeoutMs'),
    test('packages/core/src/steps/memory/remember.test.ts', 'continues without a memory that takes too long'),
    test('packages/core/src/steps/memory/remember.test.ts', 'continues without a memory that fails, and reports it'),
  ],
  'It holds the newest 1,000, of all namespaces together.': [
    constant('packages/core/src/steps/memory/searchMemory.ts', 'maxItems'),
    test('packages/core/src/steps/memory/searchMemory.test.ts', 'gives up the oldest where it holds too much'),
  ],
  'After a crash an item may be added twice, with the same `id`: replace it.': [
    test('packages/core/src/steps/memory/searchMemory.test.ts', 'takes what is added under the same id for the same'),
  ],
  'If the model still rejects the prompt as too long, `retryCompacted(backend)` compacts and retries once.': [
    test(
      'packages/core/src/steps/compact/retryCompacted.test.ts',
      'asks again with less where the model found the prompt too long',
    ),
    test(
      'packages/core/src/steps/compact/retryCompacted.test.ts',
      'fails where the model refuses twice in a row, and tries again when told to',
    ),
  ],
}
