import {
  choice,
  confirm,
  type Json,
  type Schema,
  type ToolContext,
  type ToolSet,
  type TypedQuestion,
  tool,
} from '@interleave/core'
import { schemaBy, toJson } from '@interleave/core/internal'
import type { Life } from './life.ts'

type Execute = (input: object, context: ToolContext) => Promise<Json>

export type ToolName = 'charge' | 'pay' | 'seats' | 'quote' | 'change' | 'delegate'

/** Takes everything as it is, without a copy, as the tools of many servers do. */
const anything = schemaBy({ type: 'object' }, (value) => value as object)

/** Tools of every kind. Each of them reports what it does to the witness, and waits at gates in between. */
export function scheduleTools(life: Life): ToolSet {
  const { gates } = life
  const callOf = ({ idempotencyKey: key }: ToolContext): string => key.slice(life.runId.length + 1)
  /** Does one thing to the world, which takes time. */
  const act = async (
    context: ToolContext,
    part: string,
    { isOnce = true, value }: { isOnce?: boolean; value?: Json } = {},
  ) => {
    const call = callOf(context)
    life.witness.does({ call, part, isOnce, ...(value !== undefined && { value }) })
    await gates.pass(`work ${call} ${part}`)
  }
  const starting =
    (work: Execute): Execute =>
    (input, context) => {
      life.witness.starts(callOf(context), life.emitted.all)
      return work(input, context)
    }
  const asks = async <T>(context: ToolContext, index: number, question: TypedQuestion<T>): Promise<T> => {
    const answer = await context.ask(question)
    const id = `${callOf(context)}/ask/${index}`
    life.witness.promises(`ask ${id}`, (event) => event.type === 'replied' && event.ask === id)
    return answer
  }

  const charge: Execute = async (_, context) => {
    await act(context, 'charge')
    return 'charged'
  }
  const pay: Execute = async (input, context) => {
    life.witness.runs(callOf(context), input)
    await act(context, 'pay')
    return 'paid'
  }
  /** Two questions are open at once, and each answer is acted on. */
  const seats: Execute = async (_, context) => {
    const seat = async (): Promise<void> => {
      await act(context, `seat ${await asks(context, 0, choice({ prompt: 'Seat?', options: ['a', 'b'] }))}`)
    }
    const meal = async (): Promise<void> => {
      await act(context, `meal ${await asks(context, 1, confirm({ prompt: 'Meal?' }))}`)
    }
    await Promise.all([seat(), meal()])
    return 'seated'
  }
  /** Two callers of one key, who each act on what they are given. */
  const quote: Execute = async (_, context) => {
    const ask = async (): Promise<number> => {
      await gates.pass('quote')
      return life.fresh()
    }
    const caller = async (part: string): Promise<void> => {
      const value = await context.once('quote', ask)
      const key = `${callOf(context)}/once/quote`
      life.witness.promises(
        `once ${key}`,
        (event) => event.type === 'noted' && event.key === key && event.value === value,
      )
      await act(context, part, { isOnce: false, value })
    }
    await Promise.all([caller('buy'), gates.pass('the second caller').then(() => caller('tell'))])
    return 'quoted'
  }
  /** Changes what it was given and, later, what it gave. */
  const change: Execute = async (input, context) => {
    const given = input as { list?: Json[]; inner?: { n?: number } }
    given.list?.push('changed')
    if (given.inner) given.inner.n = -1
    const output = { list: ['told'] }
    await act(context, 'change', { isOnce: false })
    void gates.pass('change the output').then(() => output.list.push('changed'))
    return output
  }

  return {
    charge: tool({ inputSchema: anything, approve: allowed(life), execute: starting(charge) }),
    pay: tool({ inputSchema: paySchema(life), approve: approval(life), execute: starting(pay) }),
    seats: tool({ inputSchema: anything, execute: starting(seats) }),
    quote: tool({ inputSchema: anything, effect: 'idempotent', execute: starting(quote) }),
    change: tool({ inputSchema: anything, effect: 'pure', execute: starting(change) }),
  }
}

/** A policy that takes its time, and allows everything. */
const allowed = (life: Life) => (): boolean | Promise<boolean> =>
  life.hold('policy', 'policy')?.then(() => false) ?? false

const approval = (life: Life) => (): string | Promise<string> =>
  life.hold('policy', 'policy')?.then(() => life.version.prompt) ?? life.version.prompt

/** Creates a schema that fills in a default and transforms the amount. */
function paySchema(life: Life): Schema<object> {
  const { currency, factor, description } = life.version
  const jsonSchema = {
    type: 'object',
    description,
    properties: { amount: { type: 'number' }, currency: { type: 'string' } },
  }
  const validate = (value: unknown): unknown => {
    const { amount, ...others } = toJson(value) as { amount: number }
    const checked = { success: true, value: { currency, ...others, amount: amount * factor } }
    return life.hold('schema', 'schema')?.then(() => checked) ?? checked
  }
  return { jsonSchema, validate } as unknown as Schema<object>
}

/** The inputs with which the model calls them. */
export function inputOf(name: ToolName): object {
  if (name === 'delegate') return { task: 'Help' }
  return name === 'pay' ? { amount: 5 } : { list: ['a'], inner: { n: 1 } }
}
