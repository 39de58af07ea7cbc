import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Message,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { DEV } from '#checks'
import { ignore, orStopped, yielder } from '../engine/wait.ts'
import { AgentError, messageOf } from '../error.ts'
import { fromJson, type Json, toJson } from '../json.ts'
import { toMessages } from '../message.ts'
import { assertOption } from '../options.ts'
import type { Activity, RunContext } from '../run.ts'
import type { JsonSchema } from '../schema.ts'
import { noteOf, type RunState } from '../state.ts'
import type { TypedQuestion } from '../typedQuestion.ts'

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

/** Returns the events of an external agent. Throws if its `run` returned anything but an async iterable. */
function eventsIn(agent: string, given: Partial<AsyncIterable<unknown>> | undefined): AsyncIterator<unknown> {
  const events = given?.[Symbol.asyncIterator]?.()
  const how = 'return an async iterable of events, not a promise: write `async *run(turn) { … }`.'
  assertOption(typeof events?.next === 'function', DEV && `\`run\` of the external agent "${agent}" must ${how}`)
  return events
}

/** Returns a copy of a valid external event. Throws for an invalid one. */
function readExternalEvent(agent: string, given: unknown): ExternalEvent {
  const event = (given ?? {}) as Record<string, unknown>
  const { type } = event
  if (!isKnown(type)) throw malformed(agent, `an event of the unknown type ${JSON.stringify(type) ?? 'undefined'}`)
  const read: Record<string, Json> = { type }
  for (const [field, kind] of Object.entries(fields[type])) {
    const name = field.replace('?', '')
    const value = event[name]
    if (value === undefined && name !== field) continue
    if (!isOf(kind, value)) throw malformed(agent, `an event "${type}" with a wrong or missing "${name}"`)
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

const malformed = (agent: string, what: string): AgentError =>
  new AgentError('model_malformed', `The external agent "${agent}" sent ${what}.`)

/** The questions of an external agent during one turn. */
class ExternalQuestions {
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

/** Presents a turn of an external agent as a model call, which is streamed, capped, stopped and persisted. */
export function externalModel(run: RunContext, external: ExternalAgent, idleMs: number): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider,
    modelId: external.name,
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('An external agent only streams.')),
    doStream: async (call) => ({ stream: toStream(partsOf(run, external, idleMs, call)) }),
  }
}

async function* partsOf(
  run: RunContext,
  external: ExternalAgent,
  idleMs: number,
  call: LanguageModelV4CallOptions,
): AsyncGenerator<LanguageModelV4StreamPart> {
  const { name } = external
  const toParts = externalParts(name)
  const questions = new ExternalQuestions(run, name)
  const yieldIfDue = yielder(run.host)
  let events: AsyncIterator<unknown> | undefined
  try {
    const turn = await toTurn(run, external, call)
    events = eventsIn(name, external.run({ ...turn, ask: questions.ask }))
    for (;;) {
      const next = unlessSilent(run, Promise.resolve(events.next()), idleMs, questions)
      // The external agent may ignore the abort, and the run must not wait for it.
      const { done, value }: Partial<IteratorResult<unknown>> = Object(await orStopped(next, turn.abortSignal))
      if (done) return
      const event = readExternalEvent(name, value)
      if (event.type === 'session') await noteSession(run, name, event.id)
      else yield* toParts(event)
      if (event.type === 'done') return
      const pause = yieldIfDue()
      if (pause) await pause
    }
  } finally {
    questions.end()
    // An agent that ignores the abort must not hold up the end of the run.
    void Promise.resolve()
      .then(() => events?.return?.())
      .catch(ignore)
  }
}

/** Returns the next event, or fails after too long a silence. The limit does not apply while a user is being asked. */
function unlessSilent<T>({ host }: RunContext, next: Promise<T>, ms: number, questions: ExternalQuestions): Promise<T> {
  return new Promise((resolve, reject) => {
    const watch = (): (() => void) =>
      host.timer(ms, () => {
        if (questions.isWaiting) cancel = watch()
        else reject(new AgentError('model_idle', `The external agent "${questions.agent}" sent nothing for ${ms} ms.`))
      })
    let cancel = watch()
    next.then(resolve, reject).finally(() => cancel())
  })
}

function toStream(parts: AsyncGenerator<LanguageModelV4StreamPart>): ReadableStream<LanguageModelV4StreamPart> {
  return new ReadableStream({
    async pull(stream) {
      const { done, value } = await parts.next()
      if (done) stream.close()
      else stream.enqueue(value)
    },
    async cancel() {
      await parts.return(undefined)
    },
  })
}

/** The provider of external turns in the log. */
const provider = 'external'

/** The key of the note with the agent's session, and with the turn that reported it. */
const sessionKey = (name: string): string => `external/${name}/session`

/** Persists the session before the turn continues, so that the agent finds it after a crash. */
async function noteSession(run: RunContext, name: string, id: string): Promise<void> {
  const value = { id, turn: run.state.iteration + 1 }
  run.emit({ type: 'noted', key: sessionKey(name), value })
  await run.durable()
}

/** Returns the external agent's input for the turn of this model call. */
async function toTurn(
  run: RunContext,
  { name }: ExternalAgent,
  { prompt, abortSignal = run.abortSignal }: LanguageModelV4CallOptions,
): Promise<Omit<ExternalTurn, 'ask'>> {
  const { state } = run
  const session = noteOf<{ readonly id: string; readonly turn: number }>(state, sessionKey(name))
  const system = prompt.find((message) => message.role === 'system')
  const outputSchema = await run.agent.output?.json
  const messages = prompt.filter((message) => message !== system)
  // Messages that arrive from here on are for the next turn.
  const pending = messages.slice(run.prompt.messages({ ...state, pending: [] }).length)
  return {
    news: [...newsFor(state, name), ...pending],
    messages,
    resumed: session?.turn === state.iteration + 1,
    abortSignal,
    ...(session && { sessionId: session.id }),
    ...(system && { instructions: system.content }),
    ...(outputSchema && { outputSchema }),
  }
}

/** Returns the messages after the agent's own last turn. Messages for a turn that broke off are still new. */
function newsFor({ history }: RunState, name: string): ExternalTurn['news'] {
  const entries = history.flat()
  const last = entries.findLastIndex(
    (entry) =>
      entry.type === 'turn' && !entry.error && entry.model.provider === provider && entry.model.modelId === name,
  )
  return entries.slice(last + 1).flatMap(toMessages)
}

type Part = LanguageModelV4StreamPart
type Of<Type extends ExternalEvent['type']> = Extract<ExternalEvent, { readonly type: Type }>

/** Converts the events of an external turn to parts of a model stream. Its calls run in the external agent. */
function externalParts(agent: string): (event: Exclude<ExternalEvent, Of<'session'>>) => readonly Part[] {
  const tools = new Map<string, string>()
  const used: Used = { input: 0, output: 0, cachedInput: 0 }
  const open = new Set<string>()
  const idOf = blockIds()

  const call = ({ id, name, input }: Of<'toolCall'>): Part[] => {
    tools.set(id, name)
    open.add(id)
    idOf('call')
    const own = { toolName: name, providerExecuted: true, dynamic: true } as const
    return [
      { type: 'tool-input-start', id, ...own },
      { type: 'tool-call', toolCallId: id, input: JSON.stringify(input), ...own },
    ]
  }
  const result = ({ id: toolCallId, output, isError }: Of<'toolResult'>): Part[] => {
    const toolName = tools.get(toolCallId)
    if (toolName === undefined) throw malformed(agent, `a result of the call "${toolCallId}", which it never reported`)
    open.delete(toolCallId)
    return [{ type: 'tool-result', toolCallId, toolName, result: output ?? '', ...(isError && { isError }) }]
  }
  /** Closes calls without a result, since models that read the conversation later would reject them. */
  const close = (): Part[] =>
    [...open].flatMap((id) => result({ type: 'toolResult', id, output: 'It reported no result.', isError: true }))
  return (event) => {
    switch (event.type) {
      case 'text':
      case 'reasoning':
        return [{ type: `${event.type}-delta`, id: idOf(event.type), delta: event.delta }]
      case 'toolCall':
        return call(event)
      case 'toolResult':
        return result(event)
      case 'usage':
        used.input += event.input
        used.output += event.output
        used.cachedInput += event.cachedInput ?? 0
        return []
      case 'done':
        return [...close(), finishOf(used, event.output)]
      case 'error': {
        const { message, retryable = false } = event
        throw new AgentError('model_failed', messageOf(message || undefined), { retryable })
      }
    }
  }
}

type Used = Record<'input' | 'output' | 'cachedInput', number>

const finishOf = ({ input, output: written, cachedInput }: Used, output: Json | undefined): Part => ({
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'done' },
  usage: {
    inputTokens: { total: input, noCache: input - cachedInput, cacheRead: cachedInput, cacheWrite: undefined },
    outputTokens: { total: written, text: written, reasoning: undefined },
  },
  ...(output !== undefined && { providerMetadata: { interleave: { output } } }),
})

/** Returns block ids: text after something of another kind is a new block. */
function blockIds(): (kind: string) => string {
  let block = { kind: '', count: 0 }
  return (kind) => {
    if (block.kind !== kind) block = { kind, count: block.count + 1 }
    return String(block.count)
  }
}
