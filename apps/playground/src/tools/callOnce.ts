import { agent, type Json, type ToolSet } from '@interleave/core'
import { scratchpad } from '@interleave/core/observe'
import { scriptedModel } from '@interleave/testing'

interface Once {
  readonly tools: ToolSet
  readonly name: string
  readonly input: Json
  /** What the user answers, in order. */
  readonly replies?: readonly unknown[]
}

/** What one call comes to in a real run, and which questions it asked. For tests. */
export async function callOnce({ tools, name, input, replies = [] }: Once) {
  const run = agent({ name: 'tester', model: scriptedModel({ calls: [{ name, input }] }, 'Done.'), tools }).start('Go')
  const asked = []
  for (const reply of replies) {
    await run.settled
    const [ask] = run.state.asks
    if (!ask) break
    asked.push(ask)
    await run.reply(ask.id, reply)
  }
  await run.settled
  const seen = scratchpad(run.state).find((entry) => entry.type === 'observation')
  return { output: seen?.output, error: seen?.error, asked }
}
