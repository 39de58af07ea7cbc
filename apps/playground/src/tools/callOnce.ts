import { agent, type Json, type ToolSet } from '@interleave/core'
import { scratchpad } from '@interleave/core/observe'
import { scriptedModel } from '@interleave/testing'

interface Once {
  readonly tools: ToolSet
  readonly name: string
  readonly input: Json
  /** The user's answers, in order. */
  readonly replies?: readonly unknown[]
}

/** Runs one call in a real run, for tests. Returns its result and the questions that it asked. */
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
