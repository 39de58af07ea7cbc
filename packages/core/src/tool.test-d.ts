import { expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { approval, choice, elsewhere, type RunState, type ToolContext, tool } from './index.ts'

const inputSchema = z.object({ city: z.string(), days: z.coerce.number().default(1) })

it('types the input of a tool by what its schema makes', () => {
  tool({
    inputSchema,
    execute: (input) => expectTypeOf(input).toEqualTypeOf<{ city: string; days: number }>(),
    approve: (input, state) => {
      expectTypeOf(input.days).toBeNumber()
      expectTypeOf(state).toEqualTypeOf<RunState>()
      return approval()
    },
  })
})

it('types the answers to its questions and the results of once', () => {
  tool({
    inputSchema,
    execute: async (_, context) => {
      expectTypeOf(context).toEqualTypeOf<ToolContext>()
      expectTypeOf(await context.ask(choice({ prompt: '?', options: ['a', 'b'] }))).toEqualTypeOf<'a' | 'b'>()
      expectTypeOf(await context.once('k', () => String(5))).toEqualTypeOf<string>()
    },
  })
})

it('types what is told to the model by the output', () => {
  tool({
    inputSchema,
    execute: () => ({ rows: [1, 2] }),
    toModelOutput: ({ input, output }) => ({ type: 'text', value: `${input.city}: ${output.rows.length}` }),
  })
  tool({
    inputSchema,
    async *execute() {
      yield { rows: 1 }
    },
    toModelOutput: ({ output }) => ({ type: 'json', value: output.rows }),
  })
})

it('refuses tools that cannot work', () => {
  // @ts-expect-error a tool needs an input schema
  tool({ execute: () => 1 })
  // @ts-expect-error there are three effects
  tool({ inputSchema, effect: 'twice', execute: elsewhere() })
  // @ts-expect-error a policy returns approval() or false
  tool({ inputSchema, approve: () => true, execute: elsewhere() })
  // @ts-expect-error a tool has its work, or elsewhere()
  tool({ inputSchema })
  // @ts-expect-error there is no such field in the input
  tool({ inputSchema, execute: ({ town }) => town })
})
