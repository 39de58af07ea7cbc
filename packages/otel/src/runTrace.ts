import type { Ask, RunState, Signal, Usage } from '@interleave/core'
import { initialState, latestTurn, type Thought } from '@interleave/core/internal'
import { type AnyEvent, type EventOf, isKept, type LiveEvent } from '@interleave/core/observe'
import { type Attributes, type Context, type Span, type SpanContext, SpanKind } from '@opentelemetry/api'
import { modelAttributes, usageAttributes } from './attributes.ts'
import { messageOf } from './content.ts'
import { ModelCalls, type ModelEffect } from './modelCalls.ts'
import { ToolCalls } from './toolCalls.ts'
import { OpenSpan, type Tracing, timeAt } from './tracing.ts'

/** The work of a run from one pause to the next. */
interface Segment {
  readonly run: OpenSpan
  /** The usage of the run when it began. */
  readonly usage: Usage
}

/** The context in which an effect runs. */
export interface ModelCall {
  readonly context: Context
  /** Ends a span that no event ends. */
  readonly end?: (result: unknown) => void
}

/** The spans of one run: one `invoke_agent` for each stretch of work, linked to the one before. */
export class RunTrace {
  readonly #tracing: Tracing
  readonly #models: ModelCalls
  readonly #tools: ToolCalls
  #state: RunState = initialState
  #segment: Segment | undefined
  #last: SpanContext | undefined
  #thought: Pick<Thought, 'model' | 'finish'> | undefined

  constructor(tracing: Tracing) {
    this.#tracing = tracing
    this.#models = new ModelCalls(tracing)
    this.#tools = new ToolCalls(tracing)
  }

  /** True from the first event after a rest to the next rest. */
  get isWorking(): boolean {
    return this.#segment !== undefined
  }

  get conversation(): string {
    return this.#tracing.conversationOf(this.#state)
  }

  receive(event: AnyEvent, state: RunState): void {
    const before = this.#state
    this.#state = state
    if (isKept(event)) {
      const { at } = event
      if (event.type === 'settled') {
        this.#settle(event.signal, at)
        this.#state = remembered(state)
      } else if (!state.signal) this.#receive(event, before, this.#begin(at, before))
    } else if (event.type === 'delta') this.#models.stream()
    else if (event.type === 'rewound') this.close(this.#tracing.now())
    else if (this.#segment || event.type === 'thinking') this.#receiveLive(event)
  }

  /** Returns the context of a call: of its span, or of the run. A paused run has none. */
  contextOf(
    key: string,
    { at, wakes = false }: { readonly at: number; readonly wakes?: boolean },
  ): Context | undefined {
    if (!this.#segment && !wakes) return undefined
    const parent = this.#begin(at, this.#state).run.context
    return this.#tools.begin(key, this.#state, { parent, at }) ?? parent
  }

  /** Returns the context of a call that is running, or of the run. */
  currentOf(key: string): Context | undefined {
    return this.#tools.contextOf(key) ?? this.#segment?.run.context
  }

  /** Begins the span of a model call: an attempt of the next turn, or a side call, such as a judge's. */
  beginModelCall(effect: ModelEffect, provider: string | undefined): ModelCall | undefined {
    const parent = this.#segment?.run.context
    if (!parent) return undefined
    if (`${effect.key}/`.startsWith(`${this.#state.iteration + 1}/model/`))
      return { context: this.#models.beginTurn(effect, provider, parent) }
    const call = this.#models.beginCall(effect, provider, parent)
    call.span.setAttribute('interleave.side_call', effect.key)
    const end = (result: unknown): void => {
      const { outcome } = Object(result) as { outcome?: Thought }
      const at = this.#tracing.now()
      if (outcome) this.#models.finishCall(call, outcome, at)
      else call.end(at)
    }
    return { context: call.context, end }
  }

  /** Ends all open spans if the run has not paused: its log ends, or another owner took over. */
  close(at: number): void {
    this.#settle(undefined, at)
  }

  #begin(at: number, { usage }: RunState): Segment {
    const known = this.#segment
    if (known) return known
    const state = this.#state
    const parent = this.#tracing.parentOf(state, at)
    const attributes: Attributes = {
      'gen_ai.operation.name': 'invoke_agent',
      'gen_ai.agent.name': state.agent,
      'gen_ai.agent.version': state.version,
      'gen_ai.conversation.id': this.conversation,
    }
    const links = this.#last ? [{ context: this.#last }] : []
    const options = { parent, at, kind: SpanKind.INTERNAL, attributes, links }
    const segment = { run: new OpenSpan(this.#tracing.tracer, `invoke_agent ${state.agent}`, options), usage }
    this.#segment = segment
    return segment
  }

  #receive(
    event: Exclude<Extract<AnyEvent, { seq: number }>, { type: 'settled' }>,
    before: RunState,
    { run }: Segment,
  ): void {
    const { context: parent, span } = run
    const { at } = event
    switch (event.type) {
      case 'said':
        this.#say(event, span)
        return
      case 'thought':
        this.#thought = { model: event.model, ...(event.finish && { finish: event.finish }) }
        this.#models.finish(event, before, run)
        return
      case 'claimed':
        this.#tools.begin(event.call, this.#state, { parent, at })
        return
      case 'observed':
        this.#tools.finish(event, before, { parent, at: Math.max(run.startedAt, at - event.ms) })
        return
      case 'asked':
        span.addEvent('interleave.asked', askAttributes(event.ask), timeAt(at))
        return
      case 'replied':
        this.#reply(event, before, run)
        return
      case 'compacted': {
        const { strategy = 'unknown', before: from = 0, after = 0 } = event
        const attributes = { 'interleave.compaction.strategy': strategy }
        const sizes = { 'interleave.compaction.tokens_before': from, 'interleave.compaction.tokens_after': after }
        span.addEvent('interleave.compacted', { ...attributes, ...sizes }, timeAt(at))
      }
    }
  }

  #say({ by, content }: EventOf<'said'>, span: Span): void {
    const { content: recorded } = this.#tracing
    if (!recorded || by !== 'user' || content === '') return
    const parts = typeof content === 'string' ? [{ type: 'text', text: content } as const] : content
    span.setAttribute('gen_ai.input.messages', recorded.json([messageOf({ role: 'user', content: [...parts] })]))
  }

  /** Continues a call that waited for the reply. */
  #reply({ ask: id, at }: EventOf<'replied'>, before: RunState, { span, context: parent }: OpenSpan): void {
    const ask = before.asks.find((open) => open.id === id)
    span.addEvent('interleave.replied', askAttributes(ask ?? { id }), timeAt(at))
    if (ask?.call !== undefined && ask.kind !== 'approval') this.#tools.begin(ask.call, this.#state, { parent, at })
  }

  #receiveLive(event: LiveEvent): void {
    const at = this.#tracing.now()
    const { run } = this.#begin(at, this.#state)
    switch (event.type) {
      case 'thinking':
        this.#models.think(this.#state)
        return
      case 'retrying': {
        const { attempt, inMs, error } = event
        this.#models.retry(event, run.context)
        const attributes = { 'interleave.attempt': attempt, 'interleave.in_ms': inMs, 'error.type': error.code }
        run.span.addEvent('interleave.retrying', attributes, timeAt(at))
        return
      }
      case 'dropped':
        run.span.addEvent('interleave.dropped', { 'interleave.call': event.call }, timeAt(at))
    }
  }

  #settle(signal: Signal | undefined, at: number): void {
    const segment = this.#segment
    if (!segment) return
    const { run, usage } = segment
    const { content, metrics } = this.#tracing
    const type = signal?.type ?? 'unfinished'
    this.#segment = undefined
    this.#last = run.span.spanContext()
    this.#models.pause(at, type)
    this.#tools.pause(at, type)
    if (signal?.type === 'failed') run.fail(signal.error, content)
    const { model, finish } = this.#thought ?? {}
    run.end(at, {
      'interleave.signal': type,
      ...(signal?.type === 'limitReached' && { 'interleave.limit': signal.limit }),
      ...(model && modelAttributes(model)),
      ...(finish && { 'gen_ai.response.finish_reasons': [finish.unified] }),
      ...usageAttributes(this.#state.usage, usage),
      ...(content && signal?.type === 'answer' && { 'gen_ai.output.messages': content.json(answerOf(signal.output)) }),
    })
    const names: Attributes = { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.agent.name': this.#state.agent }
    const outcome = { ...names, ...(signal?.type === 'failed' && { 'error.type': signal.error.code }) }
    metrics?.recordMs('gen_ai.invoke_agent.duration', at - run.startedAt, outcome, run.context)
  }
}

/** Returns the part of a paused run that its next work needs. Its history would otherwise stay in memory. */
function remembered(state: RunState): RunState {
  const { runId, agent, version, parent, usage, asks, signal, iteration } = state
  const turn = state.asks.length > 0 ? latestTurn(state) : undefined
  const history = turn ? [[turn]] : []
  return { ...initialState, runId, agent, version, usage, asks, signal, iteration, history, ...(parent && { parent }) }
}

const answerOf = (output: unknown): readonly object[] => {
  const content = typeof output === 'string' ? output : JSON.stringify(output)
  return [{ role: 'assistant', parts: [{ type: 'text', content }], finish_reason: 'stop' }]
}

type AskNames = Pick<Ask, 'id'> & Partial<Pick<Ask, 'kind' | 'call'>>

const askAttributes = ({ id, kind, call }: AskNames): Attributes => ({
  'interleave.ask': id,
  ...(kind !== undefined && { 'interleave.ask.kind': kind }),
  ...(call !== undefined && { 'interleave.call': call }),
})
