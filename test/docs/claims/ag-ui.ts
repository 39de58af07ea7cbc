import { type Claims, constant, test } from '../proofs.ts'

export const claims: Claims = {
  'In CopilotKit (tested: 1.74), `useInterrupt` draws the dialog, and its `resolve` takes the payload.': [
    test('test/docs/install.test.ts', 'names the versions of the front ends that are tested'),
    test(
      'packages/ag-ui/src/frontEnd/copilotKit.nightly.test.ts',
      'lets the chat of CopilotKit ask every question of a run, and shows the answer',
    ),
  ],
  'In TanStack AI (tested: 0.33), connect with `fetchServerSentEvents(url)`.': [
    test('test/docs/install.test.ts', 'names the versions of the front ends that are tested'),
    test(
      'packages/ag-ui/src/frontEnd/tanstack.test.ts',
      'is read by the client of TanStack AI, which answers a question and says more',
    ),
  ],
  '**`threadId`** is the id of the run: a random string of 22 to 64 characters, such as a UUID.': [
    test('packages/server/src/threats.test.ts', 'row 7: accepts only ids that cannot be guessed'),
    test(
      'packages/ag-ui/src/handler/agUiHandler.test.ts',
      'holds requests to their shape and size before it does anything',
    ),
  ],
  'A body may have 14 MB.': [
    constant('packages/ag-ui/src/handler/agUiHandler.ts', 'bodyBytes', 'MB'),
    test(
      'packages/ag-ui/src/handler/agUiHandler.test.ts',
      'holds requests to their shape and size before it does anything',
    ),
  ],
  'A message or an answer that is sent twice counts once, by its `id`.': [
    test(
      'packages/ag-ui/src/handler/agUiHandler.test.ts',
      'does nothing twice for a request that is sent twice, and shows the same',
    ),
  ],
  'With `idempotent: true` the message is sent again instead, for agents that do nothing twice, such as those of `agUiHandler`.':
    [
      test(
        'packages/ag-ui/src/remote/agUiAgent.test.ts',
        'asks an idempotent agent again by itself, which does nothing twice',
      ),
    ],
}
