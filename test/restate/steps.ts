import { type Agent, agent, reasonAct, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { z } from 'zod'

/** An agent that takes so many turns with one call each, and answers with their number. */
export function stepper(steps: number, effect: 'readOnly' | 'idempotent' = 'readOnly'): Agent {
  const model: ReturnType<typeof scriptedModel> = {
    ...scriptedModel(),
    doStream: ({ prompt, ...call }) => {
      const done = prompt.filter(({ role }) => role === 'tool').length
      const turn = done < steps ? { calls: [{ name: 'step', input: { n: done } }] } : `${done} steps.`
      return scriptedModel(turn).doStream({ ...call, prompt: [] })
    },
  }
  const step = tool({ inputSchema: z.object({ n: z.number() }), effect, execute: ({ n }) => n })
  return agent({
    name: `steps-${steps}${effect === 'readOnly' ? '' : `-${effect}`}`,
    model,
    tools: { step },
    backend: reasonAct({ limits: { iterations: steps + 1 } }),
  })
}
