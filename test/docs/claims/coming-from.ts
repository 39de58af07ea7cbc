import { type Claims, constant, test } from '../proofs.ts'

export const claims: Claims = {
  'AI SDK (five lines change) · LangGraph · OpenAI Agents · TanStack AI · CopilotKit · Mastra': [
    test('test/docs/docs.test.ts', '%s shows as many lines as it says: %s'),
    test('test/docs/inChromium.soak.test.ts', 'books with the app of useChat, before and after its five lines: %s'),
  ],
  'Limits | After 20 iterations per request a run pauses and asks. `ToolLoopAgent` ends after 20 steps, `streamText` after one':
    [
      constant('packages/core/src/agents/defaultBackend.ts', 'defaultIterations'),
      test('packages/core/src/steps/limit.test.ts', 'has room for twenty iterations by default'),
      test('test/docs/aiSdkLimits.test.ts', 'knows after how many steps the AI SDK ends'),
    ],
  'Five lines change:': [
    test('test/docs/docs.test.ts', '%s shows as many lines as it says: %s'),
    test('test/docs/inChromium.soak.test.ts', 'books with the app of useChat, before and after its five lines: %s'),
  ],
}
