import { clientTool } from '@interleave/connect/worker'
import { type Agent, agent, reasonAct } from '@interleave/core'
import { agentTool } from '@interleave/core/agents'
import { scriptedModel } from '@interleave/testing'
import { z } from 'zod'

const inputSchema = z.object({ n: z.number() })

/** An agent whose every turn has a page do something that may not happen twice, and beside it something that may. */
export function drawer(turns = 3): Agent {
  const model: ReturnType<typeof scriptedModel> = {
    ...scriptedModel(),
    doStream: ({ prompt, ...call }) => {
      const done = prompt.filter(({ role }) => role === 'assistant').length
      const calls = ['stamp', 'draw'].map((name) => ({ name, input: { n: done } }))
      return scriptedModel(done < turns ? { calls } : 'Done.').doStream({ ...call, prompt: [] })
    },
  }
  return agent({
    name: 'drawer',
    model,
    tools: {
      stamp: clientTool({ inputSchema, effect: 'atMostOnce' }),
      draw: clientTool({ inputSchema, effect: 'idempotent' }),
    },
    backend: reasonAct({ limits: { iterations: turns + 1 } }),
  })
}

/** An agent that has a drawer do it. */
export function foreman(): Agent {
  const model: ReturnType<typeof scriptedModel> = {
    ...scriptedModel(),
    doStream: ({ prompt, ...call }) => {
      const turn = prompt.at(-1)?.role === 'tool' ? 'All done.' : { calls: [{ name: 'ask', input: { task: 'Go' } }] }
      return scriptedModel(turn).doStream({ ...call, prompt: [] })
    },
  }
  return agent({ name: 'foreman', model, tools: { ask: agentTool(drawer(1), { description: 'Draws.' }) } })
}
