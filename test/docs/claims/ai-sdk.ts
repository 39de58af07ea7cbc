import { type Claims, test } from '../proofs.ts'

export const claims: Claims = {
  'Only one with `needsApproval`, or with the hooks `onInputStart`, `onInputDelta` and `onInputAvailable`, needs `aiTool()`, which asks the user, and calls these hooks while the model writes an input:':
    [
      test('packages/ai-sdk/src/aiTool.test.ts', 'asks where needsApproval says so'),
      test('packages/ai-sdk/src/aiTool.test.ts', 'is needed for a tool with %s'),
      test(
        'packages/ai-sdk/src/aiTool.test.ts',
        'tells a tool of the AI SDK of its input while it is written, and when it is whole',
      ),
    ],
  '`data-retrying` | a model is retried; only `onData` receives it': [
    test('packages/ai-sdk/src/uiMessageChunks.test.ts', 'takes half a text back when the model is asked again'),
  ],
  'After another process has answered, a message to the first fails with `journal_conflict`.': [
    test(
      'packages/ai-sdk/src/chatTransport.test.ts',
      'fails with a message to a process that has a chat in memory which another process answered',
    ),
  ],
  "`agent({ model })` takes models of the AI SDK's interface 4.": [
    test(
      'packages/ai-sdk/src/languageModel.test.ts',
      'lets a model of interface %s in, and makes of it what the AI SDK does',
    ),
  ],
  'Use names on servers only.': [
    test('packages/ai-sdk/src/languageModel.test.ts', 'finds a name where the app says that models are'),
  ],
}
