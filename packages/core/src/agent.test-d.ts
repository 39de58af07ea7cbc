import { scriptedModel } from '@interleave/testing'
import { jsonSchema, tool as sdkTool, zodSchema } from 'ai'
import { expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { agentTool } from './agents/index.ts'
import {
  type Agent,
  type AgentOptions,
  agent,
  answer,
  approval,
  finalAnswer,
  form,
  type Run,
  reasonAct,
  type Signal,
  type Step,
  type ToolOptions,
  type ToolSet,
  tool,
} from './index.ts'
import { validate } from './steps/index.ts'

const named = { name: 'a', model: scriptedModel() }

it('answers with text unless an output says otherwise', () => {
  const plain = agent(named)

  expectTypeOf(plain).toEqualTypeOf<Agent<string>>()
  expectTypeOf(plain.start('x')).toEqualTypeOf<Run<string>>()
})

it('types the answer by the output schema, from the agent to the signal', async () => {
  const run = agent({ ...named, output: answer(z.object({ n: z.coerce.number() })) }).start('x')
  const signal = await run.settled

  expectTypeOf(signal).toEqualTypeOf<Signal<{ n: number }>>()
  if (signal.type === 'answer') expectTypeOf(signal.output).toEqualTypeOf<{ n: number }>()
  // @ts-expect-error only an answer has an output
  signal.output
})

it('types a resumed run like a started one', () => {
  const described = agent({ ...named, output: answer(z.array(z.string())) })

  expectTypeOf(described.resume('id')).resolves.toEqualTypeOf<Run<string[]>>()
})

it('takes the output type by hand', () => {
  expectTypeOf(agent<{ a: 1 }>(named).start('x').settled).resolves.toEqualTypeOf<Signal<{ a: 1 }>>()
})

it('takes tools of the AI SDK', () => {
  const search = sdkTool({ inputSchema: jsonSchema<{ q: string }>({ type: 'object' }), execute: async ({ q }) => q })

  expectTypeOf({ search }).toExtend<ToolSet>()
  agent({ ...named, tools: { search } })
})

it("takes the AI SDK's schemas wherever a schema is", () => {
  const inputSchema = jsonSchema<{ q: string }>({ type: 'object', properties: { q: { type: 'string' } } })
  const search = tool({ inputSchema, execute: ({ q }) => expectTypeOf(q).toBeString() })
  const wrapped = tool({ inputSchema: zodSchema(z.object({ n: z.number() })), execute: ({ n }) => n })
  const question = form({ prompt: 'Which?', schema: inputSchema })
  const answering = agent({ ...named, tools: { search, wrapped }, output: answer(inputSchema) })

  expectTypeOf(wrapped).toEqualTypeOf<ToolOptions<{ n: number }, number>>()
  expectTypeOf(question.answer).toEqualTypeOf<{ q: string } | undefined>()
  expectTypeOf(answering).toEqualTypeOf<Agent<{ q: string }, { search: typeof search; wrapped: typeof wrapped }>>()
  expectTypeOf(answering).toExtend<Agent<{ q: string }>>()
  agentTool(answering, { description: 'Asks another.', inputSchema, toMessage: ({ q }) => q })
  validate(finalAnswer({ output: inputSchema }), inputSchema)
  // @ts-expect-error the function takes another input
  tool({ inputSchema, execute: ({ amount }: { amount: number }) => amount })
  // @ts-expect-error a JSON Schema has no type of its own: wrap it with jsonSchema()
  tool({ inputSchema: { type: 'object' }, execute: () => 1 })
})

it("takes tools whose schema is the AI SDK's jsonSchema(), with a type and without one", () => {
  const untyped = tool({
    inputSchema: jsonSchema({ type: 'object' }),
    execute: (input) => expectTypeOf(input).toBeUnknown(),
  })
  const typed = tool({
    inputSchema: jsonSchema<{ q: string }>({ type: 'object' }),
    approve: ({ q }) => q !== '' && approval(),
    execute: ({ q }) => q,
  })
  const sdk = sdkTool({ inputSchema: jsonSchema({ type: 'object' }), execute: () => 'x' })
  const options: AgentOptions = { ...named, tools: { untyped, typed, sdk } }

  agent(options)
  agent({ ...named, tools: [{ untyped }, { typed, sdk }] })
  agent({ ...named, tools: { inline: tool({ inputSchema: jsonSchema({ type: 'object' }), execute: () => 1 }) } })
  expectTypeOf(typed).toEqualTypeOf<ToolOptions<{ q: string }, string>>()
})

it('refuses what cannot work', () => {
  // @ts-expect-error an agent needs a model
  agent({ name: 'a' })
  // @ts-expect-error this backend brings no model of its own
  agent({ name: 'a', backend: reasonAct() })
  // @ts-expect-error a model is an object, not its name
  agent({ name: 'a', model: 'gpt-6' })
  // @ts-expect-error there is no such option
  agent({ ...named, modle: 1 })
  // @ts-expect-error a tool is an object
  agent({ ...named, tools: { search: 'search' } })
  // @ts-expect-error a backend is a step
  agent({ ...named, backend: 'reason' })
})

it('is read-only', () => {
  const described = agent(named)
  const { state } = described.start('x')

  // @ts-expect-error agents do not change
  described.name = 'b'
  // @ts-expect-error states do not change
  state.iteration = 1
  // @ts-expect-error not even deep inside
  state.usage.cost = 0
})

it('has signals as the result of a step', () => {
  expectTypeOf((() => undefined) satisfies Step).toExtend<Step>()
  // @ts-expect-error a step returns a signal, not just anything
  ;(() => 'done') satisfies Step
})
