import { type Agent, type Asking, agent, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { z } from 'zod'

/** An agent that asks a test's questions all at once, and then reports that it is done. */
export function askingAgent(...questions: readonly Asking<unknown>[]): Agent<string> {
  const ask = tool({
    inputSchema: z.object({ index: z.number() }),
    execute: async ({ index }, context) => {
      const question = questions[index]
      return question && (await context.ask(question))
    },
  })
  const calls = questions.map((_, index) => ({ name: 'ask', input: { index } }))
  return agent({ name: 'asker', model: scriptedModel({ calls }, 'Done.'), tools: { ask } })
}
