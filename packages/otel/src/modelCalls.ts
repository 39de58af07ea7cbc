import type { LanguageModelV4Message } from '@ai-sdk/provider'
import type { Effect, RunState } from '@interleave/core'
import { type Part, type Thought, toMessages } from '@interleave/core/internal'
import type { EventOf } from '@interleave/core/observe'
import { type Attributes, type Context, SpanKind } from '@opentelemetry/api'
import { modelAttributes, requestAttributes, toolAttributes, turnAttributes } from './attributes.ts'
import { outputOf } from './content.ts'
import { OpenSpan, type SpanStart, type Tracing } from './tracing.ts'

export type ModelEffect = Extract<Effect, { kind: 'model' }>
type ModelTurn = Omit<Thought, 'type' | 'readUntil'>

/** A streaming turn: the times of its start, of its latest attempt, and of its first chunk. */
interface Turn {
  readonly startedAt: number
  /** The state at its start, which has its prompt. */
  readonly state: RunState
  firstAt?: number
}

/** The `chat` spans of one run. */
export class ModelCalls {
  readonly #tracing: Tracing
  #turn: Turn | undefined
  /** The span of the current attempt, if the host began it. Otherwise it is created once the attempt is over. */
  #chat: OpenSpan | undefined

  constructor(tracing: Tracing) {
    this.#tracing = tracing
  }

  /** Records the start of a turn. */
  think(state: RunState): void {
    this.#turn = { startedAt: this.#tracing.now(), state }
  }

  /** Records the arrival of a chunk. */
  stream(): void {
    const turn = this.#turn
    if (turn && turn.firstAt === undefined) turn.firstAt = this.#tracing.now()
  }

  /** Begins the span of one attempt, with its whole request. */
  beginCall(effect: ModelEffect, provider: string | undefined, parent: Context): OpenSpan {
    const { content, now } = this.#tracing
    const { request, name } = effect
    const attributes: Attributes = {
      'gen_ai.request.model': name,
      ...(provider !== undefined && modelAttributes({ provider, modelId: name })),
      ...requestAttributes(request),
    }
    if (content) {
      const { prompt, tools } = request
      const system = prompt
        .filter(({ role }) => role === 'system')
        .map(({ content: text }) => ({ type: 'text', content: text }))
      if (system.length > 0) attributes['gen_ai.system_instructions'] = content.json(system)
      if (tools) attributes['gen_ai.tool.definitions'] = content.json(tools)
      attributes['gen_ai.input.messages'] = content.messages(newestOf(prompt))
    }
    return this.#start(name, attributes, { parent, at: now() })
  }

  /** Begins the span of an attempt of the current turn. */
  beginTurn(effect: ModelEffect, provider: string | undefined, parent: Context): Context {
    // The call of another object of this run, which has lost it: nothing else would end its span.
    this.#chat?.end(this.#tracing.now(), { 'interleave.signal': 'unfinished' })
    this.#chat = this.beginCall(effect, provider, parent)
    return this.#chat.context
  }

  /** Records that an attempt failed, and is retried. */
  retry({ error, inMs }: EventOf<'retrying'>, parent: Context): void {
    const turn = this.#turn
    if (!turn) return
    const { now, content } = this.#tracing
    const at = now()
    const span = this.#takeSpan('', turn, { parent, at: turn.startedAt })
    span.fail(error, content)
    span.end(at)
    this.#turn = { startedAt: at + inMs, state: turn.state }
  }

  /** Ends the span of a turn. The turn of a delegated agent may outlast the work of the run. */
  finish(event: EventOf<'thought'>, before: RunState, { context: parent, startedAt }: OpenSpan): void {
    const turn = this.#turn ?? { startedAt: event.at - event.ms, state: before }
    this.#turn = undefined
    const start = { parent, at: Math.max(startedAt, event.at - event.ms) }
    const span = this.#takeSpan(event.model.modelId, turn, start)
    this.finishCall(span, event, event.at, turn.firstAt)
    for (const part of event.parts) this.#traceProviderCall(part, event, span.context)
  }

  /** Ends the span of a call with its outcome. */
  finishCall(span: OpenSpan, turn: ModelTurn, at: number, firstAt?: number): void {
    const { content, metrics } = this.#tracing
    const { error, parts, finish, usage, model } = turn
    if (error) span.fail(error, content)
    const attributes = turnAttributes(turn)
    if (content) attributes['gen_ai.output.messages'] = content.json(outputOf(parts, finish?.unified))
    const chunkMs = firstAt === undefined ? undefined : Math.max(0, firstAt - span.startedAt)
    if (chunkMs !== undefined) attributes['gen_ai.response.time_to_first_chunk'] = chunkMs / 1000
    span.end(at, attributes)
    if (!metrics) return
    const names: Attributes = {
      'gen_ai.operation.name': 'chat',
      ...modelAttributes(model),
      'gen_ai.response.model': model.modelId,
    }
    const { context, startedAt } = span
    if (chunkMs !== undefined) metrics.recordMs('gen_ai.client.operation.time_to_first_chunk', chunkMs, names, context)
    metrics.recordTokens('input', usage.inputTokens, names, context)
    metrics.recordTokens('output', usage.outputTokens, names, context)
    const outcome = { ...names, ...(error && { 'error.type': error.code }) }
    metrics.recordMs('gen_ai.client.operation.duration', at - startedAt, outcome, context)
  }

  /** Ends a span without a turn. */
  pause(at: number, signal: string): void {
    this.#chat?.end(at, { 'interleave.signal': signal })
    this.#chat = undefined
    this.#turn = undefined
  }

  /** Returns the span of the attempt, or one that began in the past. */
  #takeSpan(model: string, turn: Turn, start: SpanStart): OpenSpan {
    const span = this.#chat ?? this.#start(model, this.#inputOf(turn), start)
    this.#chat = undefined
    return span
  }

  #start(model: string, more: Attributes, start: SpanStart): OpenSpan {
    const attributes = { 'gen_ai.operation.name': 'chat', 'gen_ai.request.stream': true, ...more }
    return new OpenSpan(this.#tracing.tracer, `chat ${model}`.trim(), { ...start, kind: SpanKind.CLIENT, attributes })
  }

  /** Returns the messages that a turn receives, as the log has them. */
  #inputOf({ state }: Turn): Attributes {
    const { content } = this.#tracing
    return content ? { 'gen_ai.input.messages': content.messages(newestIn(state)) } : {}
  }

  /** Traces a call of the provider, which has no time of its own. */
  #traceProviderCall(part: Part, { at, parts }: EventOf<'thought'>, parent: Context): void {
    if (part.type !== 'tool-call' || !part.providerExecuted) return
    const { content, tracer } = this.#tracing
    const result = parts.find((other) => other.type === 'tool-result' && other.toolCallId === part.toolCallId)
    const attributes = {
      ...toolAttributes(part.toolName, 'extension'),
      'gen_ai.tool.call.id': part.toolCallId,
      ...(content && { 'gen_ai.tool.call.arguments': content.json(part.input) }),
      ...(content && result && 'result' in result && { 'gen_ai.tool.call.result': content.json(result.result) }),
    }
    new OpenSpan(tracer, `execute_tool ${part.toolName}`, { parent, at, kind: SpanKind.INTERNAL, attributes }).end(at)
  }
}

function* newestOf(prompt: readonly LanguageModelV4Message[]): Generator<LanguageModelV4Message> {
  for (let at = prompt.length - 1; at >= 0; at--) {
    const message = prompt[at]
    if (message && message.role !== 'system') yield message
  }
}

/** Yields the messages of a state, newest first. A reader that stops early pays only for what it read. */
function* newestIn({ history, pending, compacted }: RunState): Generator<LanguageModelV4Message> {
  yield* newestOf(pending.flatMap(messagesOf))
  let left = history.reduce((sum, page) => sum + page.length, 0) - (compacted?.from ?? 0)
  for (let page = history.length - 1; page >= 0 && left > 0; page--) {
    const entries = history[page] ?? []
    for (let at = entries.length - 1; at >= 0 && left > 0; at--, left--) {
      const entry = entries[at]
      if (entry) yield* newestOf(messagesOf(entry))
    }
  }
  if (compacted) yield* newestOf(compacted.messages)
}

type Entry = Parameters<typeof toMessages>[0]
const known = new WeakMap<Entry, readonly LanguageModelV4Message[]>()

/** Returns the messages of an entry, the same ones each time, so that each is converted once. */
function messagesOf(entry: Entry): readonly LanguageModelV4Message[] {
  const messages = known.get(entry) ?? toMessages(entry)
  known.set(entry, messages)
  return messages
}
