import {
  type Agent,
  type AgentOptions,
  type Ask,
  agent,
  approval,
  choice,
  confirm,
  type Run,
  type RunState,
  type ToolContext,
  type ToolSet,
  tool,
} from '@interleave/core'
import { schemaBy } from '@interleave/core/internal'
import { type Lines, speaker } from './speaker.ts'
import type { Describe, Life } from './world.ts'

/** A run, and what a user does in it. */
export interface Script {
  readonly name: string
  readonly describe: Describe
  /** The user's reply. By default the user allows everything and chooses the first option. */
  readonly reply?: (ask: Ask) => unknown
  readonly acts?: readonly Act[]
  /** Calls during which a user acts: their outcome depends on who was first. */
  readonly raced?: readonly string[]
  /** The calls that a page starts after a crash before the user is back, and that had not started without the crash. */
  readonly late?: readonly string[]
  /** Turns that may be asked for at the same time; 1 by default. */
  readonly sideBySide?: number
  /** A journal that refuses ends its turn, and another turn follows: nothing to compare. */
  readonly endsUnkept?: true
}

/** An action of a user while the run works, until it is done. */
interface Act {
  readonly when: (state: RunState) => boolean
  readonly isDone: (state: RunState) => boolean
  readonly act: (run: Run) => unknown
}

/** An agent that says these lines, with a tool of every kind. */
export const described = (life: Life, lines: Lines, options: Partial<AgentOptions<unknown>> = {}): Agent =>
  agent<unknown>({ name: 'a', model: speaker(life, 'a', lines), tools: deedTools(life), ...options })

/** Made once and by hand: a run of these is made thousands of times. */
const inputSchema = schemaBy(
  { type: 'object', properties: { n: { type: 'number' } } },
  (value) => {
    const { n = 0 } = Object(value) as { n?: unknown }
    return typeof n === 'number' ? { n } : undefined
  },
  'n is no number',
)

/** Tools of every kind, each of which does something to the world and says so. */
export function deedTools(life: Life): ToolSet {
  const act =
    (name: string) =>
    async (input: object, { idempotencyKey: key, toolCallId, runId }: ToolContext): Promise<string> => {
      await life.does({ kind: 'tool', name, key, call: `${runId} ${toolCallId}`, input })
      return `${name} ${JSON.stringify(input)} done`
    }
  const execute = { look: act('look'), charge: act('charge'), pay: act('pay'), set: act('set') }
  return {
    look: tool({ inputSchema, effect: 'readOnly', execute: execute.look }),
    charge: tool({ inputSchema, effect: 'atMostOnce', execute: execute.charge }),
    set: tool({ inputSchema, effect: 'idempotent', execute: execute.set }),
    pay: tool({ inputSchema, approve: approval(), execute: execute.pay }),
    fail: tool({ inputSchema, effect: 'readOnly', execute: () => Promise.reject(new Error('broken')) }),
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
