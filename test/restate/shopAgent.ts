import { type Agent, agent, confirm, type ToolContext, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/core/testing'
import { z } from 'zod'

/** An agent that does what the world says. Its model keeps nothing, and says something else each time it is asked. */
export function shopAgent(world: string, version = '1'): Agent {
  const post = async (path: string, { key, body }: { key: string; body: unknown }): Promise<unknown> => {
    const headers = { 'idempotency-key': key }
    const response = await fetch(`${world}/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return response.json()
  }
  const deed = (name: string, effect: 'pure' | 'idempotent' | 'once') =>
    tool({
      inputSchema: z.object({ turn: z.number(), again: z.number() }),
      effect,
      execute: (input, { idempotencyKey }: ToolContext) => post(name, { key: idempotencyKey, body: input }),
    })
  const confirmIt = tool({
    inputSchema: z.object({ turn: z.number(), again: z.number() }),
    effect: 'pure',
    execute: async (_, { ask }: ToolContext) => ((await ask(confirm({ prompt: 'Go on?' }))) ? 'yes' : 'no'),
  })
  const turn = async (call: { prompt: readonly { role: string }[] }) => {
    const number = call.prompt.filter(({ role }) => role === 'assistant').length
    const { calls } = (await post('model', { key: '', body: number })) as { calls: { name: string; input: unknown }[] }
    return calls.length > 0 ? { calls } : 'All is done.'
  }
  const model = { ...scriptedModel(), doStream: (call: never) => scriptedModel(turn as never).doStream(call) }
  const tools = {
    charge: deed('charge', 'idempotent'),
    book: deed('book', 'once'),
    look: deed('look', 'pure'),
    confirm: confirmIt,
  }
  return agent({ name: 'shop', version, model, tools })
}
