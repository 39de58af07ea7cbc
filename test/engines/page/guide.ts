import { clientTool, type PageContext } from '@interleave/connect/worker'
import { agent, approval, choice, confirm, form, type TypedQuestion, text, tool } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import * as z from 'zod'

const inputSchema = z.object({})

/** Tells the world that something happens, and waits for its answer. */
const report =
  (world: string) =>
  async (name: string, key: string): Promise<string> => {
    const response = await fetch(`${world}/ledger`, { method: 'POST', body: JSON.stringify({ name, key }) })
    return response.text()
  }

/** The tools that a page runs for an agent elsewhere, and their functions. */
const clientTools = {
  lookHere: clientTool({ inputSchema, effect: 'idempotent' }),
  payHere: clientTool({ inputSchema, effect: 'atMostOnce' }),
}
export const functionsOf = (world: string) => ({
  lookHere: (_: object, { idempotencyKey }: PageContext) => report(world)('lookHere', idempotencyKey),
  payHere: (_: object, { idempotencyKey }: PageContext) => report(world)('payHere', idempotencyKey),
})

/** An agent that does what a message lists, such as "look, pay", one after the other. The world keeps a ledger of it. */
export function guideOf(world: string) {
  const tell = report(world)
  const questions: Readonly<Record<string, TypedQuestion<unknown>>> = {
    sure: confirm({ prompt: 'Delete the trip?', yes: 'Delete', no: 'Keep' }),
    pick: choice({ prompt: 'Which train?', options: ['07:20', '09:20'] }),
    name: text({ prompt: 'Your name?' }),
    fill: form({ prompt: 'Your trip', schema: z.object({ city: z.string() }) }),
  }
  const asking = Object.fromEntries(
    Object.entries(questions).map(([name, question]) => [
      name,
      tool({ inputSchema, execute: async (_, { ask }) => JSON.stringify(await ask(question)) }),
    ]),
  )
  const tools = {
    look: tool({ inputSchema, effect: 'idempotent', execute: (_, { idempotencyKey }) => tell('look', idempotencyKey) }),
    pay: tool({ inputSchema, effect: 'atMostOnce', execute: (_, { idempotencyKey }) => tell('pay', idempotencyKey) }),
    wire: tool({ inputSchema, approve: approval(), execute: (_, { idempotencyKey }) => tell('wire', idempotencyKey) }),
    draft: tool({
      inputSchema,
      effect: 'idempotent',
      async execute(_, { once, idempotencyKey }) {
        await once('draft', () => tell('draft', idempotencyKey))
        return tell('send', idempotencyKey)
      },
    }),
    ...asking,
    ...clientTools,
  }
  const model = scriptedModel(({ prompt }) => {
    const asked = prompt.findLastIndex(({ role }) => role === 'user')
    const [, wanted = ''] = /"text":"([^"]*)"/.exec(JSON.stringify(prompt[asked])) ?? []
    const next = wanted.split(', ')[prompt.slice(asked).filter(({ role }) => role === 'tool').length]
    return next && next in tools ? { calls: [{ name: next, input: {} }] } : `Done: ${wanted}.`
  })
  return agent({ name: 'guide', model, tools })
}
