import { type Agent, agent, type Run, type ToolSet } from '@interleave/core'
import type { ToolSource } from '@interleave/core/tools'
import { scriptedModel } from '@interleave/testing'

/** Creates an agent that makes one call and then answers "Done.", also in another process. */
export function caller(
  tools: ToolSet | ToolSource | readonly (ToolSet | ToolSource)[],
  name: string,
  input: object = {},
): Agent {
  const model = scriptedModel(({ prompt }) =>
    prompt.some(({ role }) => role === 'tool') ? 'Done.' : { calls: [{ name, input }] },
  )
  return agent({ name: 'buyer', model, tools })
}

/** Returns the first call of the run's first turn. */
export function callOf(run: Run) {
  const turn = run.state.history.flat().find((entry) => entry.type === 'turn')
  return turn?.type === 'turn' ? turn.calls[0] : undefined
}

/** Answers questions, one after another, until none is open. Returns the prompts. */
export async function answerAll(run: Run, replies: Readonly<Record<string, unknown>>): Promise<string[]> {
  const prompts: string[] = []
  for (;;) {
    const signal = await run.settled
    if (signal.type !== 'inputNeeded') return prompts
    const [ask] = run.state.asks
    if (!ask) return prompts
    prompts.push(ask.prompt)
    const key = Object.keys(replies).find((words) => ask.prompt.includes(words))
    if (key === undefined) throw new Error(`No reply was passed for: ${ask.prompt}`)
    await run.reply(ask.id, replies[key])
  }
}
