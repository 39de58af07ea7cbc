import { type Agent, agent, reasonAct, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/core/testing'
import { z } from 'zod'

/** An agent that takes so many steps, each a turn with one call, and answers with their number. */
export function stepper(steps: number): Agent {
  const model: ReturnType<typeof scriptedModel> = {
    ...scriptedModel(),
    doStream: ({ prompt, ...call }) => {
      const done = prompt.filter(({ role }) => role === 'tool').length
      const turn = done < steps ? { calls: [{ name: 'step', input: { n: done } }] } : `${done} steps.`
      return scriptedModel(turn).doStream({ ...call, prompt: [] })
    },
  }
  const step = tool({ inputSchema: z.object({ n: z.number() }), effect: 'pure', execute: ({ n }) => n })
  return agent({
    name: `steps-${steps}`,
    model,
    tools: { step },
    backend: reasonAct({ limits: { iterations: steps + 1 } }),
  })
}
