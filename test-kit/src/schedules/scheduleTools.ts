import {
  type Approval,
  approval,
  choice,
  confirm,
  type Event,
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

export type ToolName = 'charge' | 'pay' | 'seats' | 'quote' | 'change' | 'delegate' | 'book' | 'trip'

/** Takes everything as it is, without a copy, as the tools of many servers do. */
const anything = schemaBy({ type: 'object' }, (value) => value as object)

/** Tools of every kind. Each of them reports what it does to the witness, and waits at gates in between. */
export function scheduleTools(life: Life): ToolSet {
  const works = new Works(life)
  const starting =
    (name: Exclude<ToolName, 'delegate'>): Execute =>
    (input, context) => {
      life.witness.starts(works.callOf(context), life.emitted.all)
      works.begin(context)
      return works[name](input, context)
    }
  return {
    charge: tool({ inputSchema: anything, approve: allowed(life), execute: starting('charge') }),
    pay: tool({ inputSchema: paySchema(life), approve: prompted(life), execute: starting('pay') }),
    seats: tool({ inputSchema: anything, execute: starting('seats') }),
    quote: tool({ inputSchema: anything, effect: 'idempotent', execute: starting('quote') }),
    change: tool({ inputSchema: anything, effect: 'readOnly', execute: starting('change') }),
    book: tool({ inputSchema: anything, execute: starting('book') }),
    trip: tool({ inputSchema: paySchema(life), approve: prompted(life), execute: starting('trip') }),
  }
}

/** The functions of the tools. */
class Works {
  readonly #life: Life
  /** The permissions to run a call again that there were when each attempt began. */
  readonly #leaves = new WeakMap<ToolContext, number>()

  constructor(life: Life) {
    this.#life = life
  }

  begin(context: ToolContext): void {
    this.#leaves.set(context, this.#life.witness.leaveOf(this.callOf(context)))
  }

  callOf({ idempotencyKey: key }: ToolContext): string {
    return key.slice(this.#life.runId.length + 1)
  }

  async charge(_: object, context: ToolContext): Promise<Json> {
    await this.#act(context, 'charge')
    return 'charged'
  }

  async pay(input: object, context: ToolContext): Promise<Json> {
    this.#life.witness.runs(this.callOf(context), input)
    await this.#act(context, 'pay')
    return 'paid'
  }

  /** Two questions are open at once, and each answer is acted on. */
  async seats(_: object, context: ToolContext): Promise<Json> {
    const seat = async (): Promise<void> => {
      const answer = await this.#ask(context, 0, choice({ prompt: 'Seat?', options: ['a', 'b'] }))
      await this.#act(context, `seat ${answer}`)
    }
    const meal = async (): Promise<void> => {
      await this.#act(context, `meal ${await this.#ask(context, 1, confirm({ prompt: 'Meal?' }))}`)
    }
    await Promise.all([seat(), meal()])
    return 'seated'
  }

  /** Two callers of one key, who each act on what they are given. */
  async quote(_: object, context: ToolContext): Promise<Json> {
    const { gates } = this.#life
    const ask = async (): Promise<number> => {
      await gates.pass('quote')
      return this.#life.fresh()
    }
    const caller = async (part: string): Promise<void> => {
      const value = await context.once('quote', ask)
      const key = `${this.callOf(context)}/once/quote`
      const isKept = (event: Event): boolean => event.type === 'noted' && event.key === key && event.value === value
      this.#life.witness.promises(`once ${key}`, isKept)
      await this.#act(context, part, { isOnce: false, value })
    }
    await Promise.all([caller('buy'), gates.pass('the second caller').then(() => caller('tell'))])
    return 'quoted'
  }

  /** An effect beside a question. */
  async book(_: object, context: ToolContext): Promise<Json> {
    const { gates } = this.#life
    await Promise.all([
      gates.pass('begin to pay').then(() => this.#once(context, 'pay')),
      this.#ask(context, 0, confirm({ prompt: 'Window?' })),
    ])
    return 'booked'
  }

  /** Effects beside two questions, the second of which comes later. It has to be approved. */
  async trip(input: object, context: ToolContext): Promise<Json> {
    this.#life.witness.runs(this.callOf(context), input)
    const hotel = async (): Promise<void> => {
      await this.#once(context, 'hotel')
      await this.#act(context, `breakfast ${await this.#ask(context, 1, confirm({ prompt: 'Breakfast?' }))}`)
    }
    const train = async (): Promise<void> => {
      await this.#ask(context, 0, choice({ prompt: 'Class?', options: ['a', 'b'] }))
      await this.#once(context, 'train')
    }
    await Promise.all([train(), hotel()])
    return 'planned'
  }

  /** Changes what it was given and, later, what it gave. */
  async change(input: object, context: ToolContext): Promise<Json> {
    const given = input as { list?: Json[]; inner?: { n?: number } }
    given.list?.push('changed')
    if (given.inner) given.inner.n = -1
    const output = { list: ['told'] }
    await this.#act(context, 'change', { isOnce: false })
    void this.#life.gates.pass('change the output').then(() => output.list.push('changed'))
    return output
  }

  /** Does one thing to the world, which takes time. */
  async #act(
    context: ToolContext,
    part: string,
    { isOnce = true, isOver = false, value }: { isOnce?: boolean; isOver?: boolean; value?: Json } = {},
  ) {
    const call = this.callOf(context)
    const leave = this.#leaves.get(context) ?? 0
    this.#life.witness.does({ call, part, isOnce, leave, isOver, ...(value !== undefined && { value }) })
    await this.#life.gates.pass(`work ${call} ${part}`)
  }

  /** Does one thing to the world, within `once`. */
  #once(context: ToolContext, part: string): Promise<string> {
    return context.once(part, async () => {
      await this.#act(context, part, { isOver: context.abortSignal.aborted })
      return 'done'
    })
  }

  async #ask<T>(context: ToolContext, index: number, question: TypedQuestion<T>): Promise<T> {
    const answer = await context.ask(question)
    const id = `${this.callOf(context)}/ask/${index}`
    this.#life.witness.promises(`ask ${id}`, (event) => event.type === 'replied' && event.ask === id)
    return answer
  }
}

/** A policy that takes its time, and allows everything. */
const allowed = (life: Life) => (): false | Promise<false> => life.hold('policy', 'policy')?.then(() => false) ?? false

const prompted = (life: Life) => (): Approval | Promise<Approval> => {
  const asked = approval(life.version.prompt)
  return life.hold('policy', 'policy')?.then(() => asked) ?? asked
}

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
  return name === 'pay' || name === 'trip' ? { amount: 5 } : { list: ['a'], inner: { n: 1 } }
}
