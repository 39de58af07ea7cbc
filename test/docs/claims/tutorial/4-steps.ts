import { type Claims, test } from '../../proofs.ts'

export const claims: Claims = {
  'The model never sees what was blocked; the log keeps the original.': [
    test(
      'packages/core/src/steps/guardInput.test.ts',
      'ends the request for a blocked message, and never gives it to the model',
    ),
    test('packages/core/src/agents/agentTool.test.ts', 'withdraws a question that the child agent continues without'),
  ],
  '`sideCall` asks once per key: after a reload the answer is in the log.': [
    test('packages/core/src/steps/sideCall.test.ts', 'has the answer after a reload'),
  ],
}
