import { type Claims, test } from '../proofs.ts'

export const claims: Claims = {
  "backend | The step that an agent repeats until it signals, by default `reasonAct`. | the AI SDK's tool loop": [
    test('packages/core/src/agent.test.ts', 'thinks, acts, observes and answers'),
  ],
  'iteration | One turn and its tool calls, counted from 1. | LangGraph superstep': [
    test('packages/core/src/trace.test.ts', 'has one total order of events'),
  ],
  'signal | Why a run has paused or finished: `answer`, `inputNeeded`, `limitReached`, `failed` or `stopped`. | AI SDK `finishReason`':
    [
      test(
        'packages/react/src/useReAct.test-d.ts',
        'narrows the signal by the status, and by the type that is asked for',
      ),
    ],
  'live event | An event for observers only, such as streamed text. | AI SDK stream part': [
    test('packages/core/src/log/observe.test.ts', 'reports everything, live events included'),
    test('packages/core/src/log/observe.test.ts', 'receives a live event of a step, which nothing else has'),
  ],
  'plan | Changes for the next turn only: instructions, tools, tool choice, models or settings. | AI SDK `prepareStep`':
    [test('packages/core/src/plan.test.ts', 'holds for one turn')],
}
