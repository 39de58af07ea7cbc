import { type AgentOptions, agent, tool } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import { createHandler } from '@interleave/server'
import { tool as sdkTool } from 'ai'
import { expectTypeOf, it } from 'vitest'
import { z } from 'zod'

declare const journal: Journal
declare const model: AgentOptions['model']
const inputSchema = z.object({})
const look = tool({
  inputSchema,
  contextSchema: z.object({ tenant: z.string() }),
  execute(_, { context }) {
    expectTypeOf(context).toEqualTypeOf<{ tenant: string }>()
    return ''
  },
})
const find = sdkTool({ inputSchema, contextSchema: z.object({ role: z.string() }), execute: () => '' })
const anySdk = sdkTool({ inputSchema, execute: () => '' })
const plain = tool({ inputSchema, execute: () => '' })

it('types the context from the tools to `authorize`', () => {
  const rest = { journal, secret: '' }
  const guide = agent({ name: 'guide', model, tools: { look, find, plain, anySdk } })
  const other = agent({ name: 'other', model, tools: { plain } })
  createHandler({ agents: [guide], ...rest, authorize: () => ({ user: 'ada', context: { tenant: 'a', role: 'b' } }) })
  createHandler({
    agents: [guide, other],
    ...rest,
    authorize: () => 'ada',
    contextOf: () => ({ tenant: 'a', role: 'b' }),
  })
  createHandler({ agents: [other], ...rest, authorize: async () => undefined })
  createHandler({ agents: [other], ...rest, authorize: () => ({ user: 'ada', context: 1 }) })
  // @ts-expect-error A tool needs the role.
  createHandler({ agents: [guide], ...rest, authorize: () => ({ user: 'ada', context: { tenant: 'a' } }) })
  // @ts-expect-error The tenant is a string.
  createHandler({ agents: [guide], ...rest, authorize: () => 'ada', contextOf: () => ({ tenant: 1, role: 'b' }) })
})
