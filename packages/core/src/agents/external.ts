import type { LanguageModelV4Message } from '@ai-sdk/provider'
import type { TypedQuestion } from '../ask.ts'
import { AgentError, messageOf } from '../error.ts'
import { fromJson, type Json, toJson } from '../json.ts'
import { assertOption } from '../options.ts'
import type { Activity, RunContext } from '../run.ts'
import type { JsonSchema } from '../schema.ts'

/** An external agent with its own loop and tools: a coding agent, a service, another SDK. */
export interface ExternalAgent {
  readonly name: string
  /** Runs one turn, from the new messages to its answer. Must end when the turn's signal aborts. */
  run(turn: ExternalTurn): AsyncIterable<ExternalEvent>
}

/** The input of an external agent for a turn. */
export interface ExternalTurn {
  /** The messages since its own last turn, for an agent that keeps its session. */
  readonly news: readonly LanguageModelV4Message[]
  /** The whole conversation. */
  readonly messages: readonly LanguageModelV4Message[]
  readonly instructions?: string
  /** The JSON Schema of the answer, if it needs one. */
  readonly outputSchema?: JsonSchema
  /** The last session that it reported. */
  readonly sessionId?: string
  /** True if this turn was already started in that session, and was interrupted. */
  readonly resumed: boolean
  readonly abortSignal: AbortSignal
  /** Asks a user and waits. Use the same id when the turn starts again: the question is still open, or answered. */
  ask<T>(id: string, question: TypedQuestion<T>): Promise<T>
}

/** An event of an external agent. `done` is the last. */
export type ExternalEvent =
  | { readonly type: 'session'; readonly id: string }
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'reasoning'; readonly delta: string }
  /** It uses a tool of its own. */
  | { readonly type: 'toolCall'; readonly id: string; readonly name: string; readonly input: Json }
  | { readonly type: 'toolResult'; readonly id: string; readonly output: Json; readonly isError?: boolean }
  /** The usage since the last such event. */
  | { readonly type: 'usage'; readonly input: number; readonly output: number; readonly cachedInput?: number }
  /** The answer is `output`, or else the text of the turn. */
  | { readonly type: 'done'; readonly output?: Json }
  | { readonly type: 'error'; readonly message: string; readonly retryable?: boolean }

type Fields = Readonly<Record<string, 'text' | 'count' | 'flag' | 'json'>>

/** The fields of each event. A name that ends in `?` is optional. */
const fields: { readonly [Type in ExternalEvent['type']]: Fields } = {
  session: { id: 'text' },
  text: { delta: 'text' },
  reasoning: { delta: 'text' },
  toolCall: { id: 'text', name: 'text', input: 'json' },
  toolResult: { id: 'text', output: 'json', 'isError?': 'flag' },
  usage: { input: 'count', output: 'count', 'cachedInput?': 'count' },
  done: { 'output?': 'json' },
  error: { message: 'text', 'retryable?': 'flag' },
}

/** Returns the events of what `run` returned, which may be anything. */
export function eventsIn(agent: string, given: Partial<AsyncIterable<unknown>> | undefined): AsyncIterator<unknown> {
  const events = given?.[Symbol.asyncIterator]?.()
  const how = 'return an async iterable of events, not a promise: write `async *run(turn) { … }`.'
  assertOption(events, `\`run\` of the external agent "${agent}" must ${how}`)
  return events
}

/** Validates an external event. Returns the event, or a failure that says what is wrong with it. */
export function readExternalEvent(agent: string, given: unknown): ExternalEvent {
  const event = (given ?? {}) as Record<string, unknown>
  const { type } = event
  if (!isKnown(type)) throw malformed(agent, `an event of the unknown type ${JSON.stringify(type) ?? 'undefined'}`)
  const read: Record<string, Json> = { type }
  for (const [field, kind] of Object.entries(fields[type])) {
    const name = field.replace('?', '')
    const value = event[name]
    if (value === undefined && name !== field) continue
    if (!isOf(kind, value)) throw malformed(agent, `an event "${type}" whose "${name}" is no ${kind}`)
    read[name] = plain(agent, value)
  }
  return fromJson(read)
}

const isKnown = (type: unknown): type is ExternalEvent['type'] =>
  typeof type === 'string' && Object.hasOwn(fields, type)

function isOf(kind: Fields[string], value: unknown): boolean {
  if (kind === 'text') return typeof value === 'string'
  if (kind === 'flag') return typeof value === 'boolean'
  return kind === 'json' ? value !== undefined : Number.isFinite(value) && (value as number) >= 0
}

function plain(agent: string, value: unknown): Json {
  try {
    return toJson(value)
  } catch (error) {
    throw malformed(agent, `an event that is not plain data (${messageOf(error)})`)
  }
}

export const malformed = (agent: string, what: string): AgentError =>
  new AgentError('model_malformed', `The external agent "${agent}" sent ${what}.`)

/** The questions of an external agent during one turn. */
export class ExternalQuestions {
  readonly agent: string
  readonly #run: RunContext
  readonly #activity: Activity
  readonly #prefix: string
  #waiting = 0

  constructor(run: RunContext, agent: string) {
    this.agent = agent
    this.#run = run
    this.#activity = run.activity()
    this.#prefix = `${run.state.iteration + 1}/external/${agent}/`
  }

  /** True while it waits for a user. */
  get isWaiting(): boolean {
    return this.#waiting > 0
  }

  readonly ask: ExternalTurn['ask'] = async (id, question) => {
    this.#waiting++
    try {
      return await this.#activity.ask(`${this.#prefix}${id}`, question)
    } finally {
      this.#waiting--
    }
  }

  /** Ends the turn, and withdraws questions that were not asked again after a reload. */
  end(): void {
    for (const { id } of this.#run.state.asks) if (id.startsWith(this.#prefix)) this.#activity.settle(id)
    this.#activity.end()
  }
}
