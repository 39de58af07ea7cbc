import { scriptedModel } from '@interleave/testing'
import { jsonSchema, tool as sdkTool } from 'ai'
import { expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { agent, elsewhere, type Failure, type Json, type Run, tool } from '../index.ts'
import { askUser } from '../tools/index.ts'
import { type CallMessage, type ChatMessage, messagesOf } from './index.ts'

const bookTable = tool({
  inputSchema: z.object({ people: z.number(), at: z.coerce.date().default(new Date(0)), notes: z.array(z.string()) }),
  execute: async ({ at }) => ({ id: 'b1', at, note: undefined as string | undefined }),
})
const count = tool({
  inputSchema: z.object({ to: z.number() }),
  async *execute({ to }) {
    for (let n = 0; n < to; n++) yield n
  },
})
const search = sdkTool({ inputSchema: jsonSchema<{ q: string }>({ type: 'object' }), execute: async ({ q }) => [q] })
const pick = tool({ inputSchema: z.object({}), execute: elsewhere(z.object({ choice: z.string() })) })
const guide = agent({
  name: 'guide',
  model: scriptedModel(),
  tools: { bookTable, count, search, pick, askUser: askUser() },
})
declare const message: ChatMessage<typeof guide>

it('types the input and the output of a call by the name of its tool and its state', () => {
  if (message.type !== 'call') return
  if (message.tool === 'bookTable' && message.state === 'done') {
    expectTypeOf(message.input.people).toEqualTypeOf<number>()
    expectTypeOf(message.output.id).toEqualTypeOf<string>()
    // A date is a string in the log.
    expectTypeOf(message.output.at).toEqualTypeOf<string>()
    expectTypeOf(message.output.note).toEqualTypeOf<string | undefined>()
    // @ts-expect-error there is no such field
    message.output.town
  }
  if (message.tool === 'search' && message.state === 'done') {
    expectTypeOf(message.input).toEqualTypeOf<{ q: string }>()
    expectTypeOf(message.output).toEqualTypeOf<string[]>()
  }
  if (message.tool === 'pick' && message.state === 'done') expectTypeOf(message.output.choice).toEqualTypeOf<string>()
  // @ts-expect-error the agent has no such tool
  if (message.tool === 'bookTabel') return
})

it('types what streams: a part of the input, and the progress', () => {
  if (message.type !== 'call') return
  if (message.tool === 'bookTable' && message.state === 'writing') {
    expectTypeOf(message.input?.people).toEqualTypeOf<number | undefined>()
    expectTypeOf(message.input?.notes).toEqualTypeOf<readonly string[] | undefined>()
    expectTypeOf(message.output).toEqualTypeOf<undefined>()
  }
  if (message.tool === 'count' && message.state === 'working') {
    expectTypeOf(message.progress).toEqualTypeOf<number | undefined>()
    expectTypeOf(message.input).toEqualTypeOf<{ to: number }>()
  }
})

it('types the reason of a call that failed or was refused, in one shape', () => {
  if (message.type !== 'call') return
  if (message.state === 'failed' || message.state === 'refused') expectTypeOf(message.error).toEqualTypeOf<Failure>()
  else expectTypeOf(message.error).toEqualTypeOf<undefined>()
})

it('knows nothing of the tools without the type of an agent', () => {
  const call = {} as CallMessage
  expectTypeOf(call.tool).toEqualTypeOf<string>()
  if (call.state === 'done') expectTypeOf(call.output).toEqualTypeOf<Json>()
})

it('types the messages of a run by its agent', () => {
  const [first] = messagesOf(guide.start('Go'))
  if (first) expectTypeOf(first).toEqualTypeOf<ChatMessage<typeof guide>>()
  const [untyped] = messagesOf({} as Run)
  if (untyped) expectTypeOf(untyped).toEqualTypeOf<ChatMessage>()
})
