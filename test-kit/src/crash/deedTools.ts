import type { Schema } from '@interleave/core'
import { choice, confirm, type ToolSet, type TypedQuestion, tool } from '@interleave/core'
import type { Life } from './world.ts'

interface Context {
  readonly idempotencyKey: string
  readonly toolCallId: string
  readonly runId: string
  readonly ask: <T>(question: TypedQuestion<T>) => Promise<T>
  readonly once: <T extends string>(key: string, fn: () => T | PromiseLike<T>) => Promise<T>
}

/** Made once and by hand: a run of these is made thousands of times. */
const inputSchema = {
  jsonSchema: { type: 'object', properties: { n: { type: 'number' } } },
  validate(value: unknown) {
    const { n = 0 } = (value ?? {}) as { n?: unknown }
    return typeof n === 'number'
      ? { success: true, value: { n } }
      : { success: false, error: new Error('n is no number') }
  },
} as unknown as Schema<{ n: number }>

/** Tools of every kind, each of which does something to the world and says so. */
export function deedTools(life: Life): ToolSet {
  const act =
    (name: string) =>
    async (input: object, { idempotencyKey: key, toolCallId, runId }: Context): Promise<string> => {
      await life.does({ kind: 'tool', name, key, call: `${runId} ${toolCallId}`, input })
      return `${name} ${JSON.stringify(input)} done`
    }
  const execute = { look: act('look'), charge: act('charge'), pay: act('pay'), set: act('set') }
  return {
    look: tool({ inputSchema, effect: 'pure', execute: execute.look }),
    charge: tool({ inputSchema, effect: 'once', execute: execute.charge }),
    set: tool({ inputSchema, effect: 'idempotent', execute: execute.set }),
    pay: tool({ inputSchema, approve: 'always', execute: execute.pay }),
    fail: tool({ inputSchema, effect: 'pure', execute: () => Promise.reject(new Error('broken')) }),
    /** Reserves, asks, charges. */
    book: tool({
      inputSchema,
      execute: async (input, context) => {
        const { idempotencyKey, ask, once } = context
        const reserved = await once('reserve', async () => {
          await life.does({ kind: 'inner', name: 'reserve', key: idempotencyKey })
          return 'reserved'
        })
        const which = await ask(choice({ prompt: 'Which?', options: ['a', 'b'] }))
        const sure = await ask(confirm({ prompt: 'Sure?' }))
        return sure ? `${reserved} ${which} ${await act('book')(input, context)}` : 'left'
      },
    }),
  }
}
