import type { RunState } from '@interleave/core'
import { openCalls } from '@interleave/core/internal'
import type { EventOf } from '@interleave/core/observe'
import { type Attributes, type Context, SpanKind } from '@opentelemetry/api'
import { toolAttributes } from './attributes.ts'
import { resultValue } from './content.ts'
import { OpenSpan, type SpanStart, type Tracing } from './tracing.ts'

/** The `execute_tool` spans of one run. */
export class ToolCalls {
  readonly #tracing: Tracing
  readonly #open = new Map<string, OpenSpan>()

  constructor(tracing: Tracing) {
    this.#tracing = tracing
  }

  /** Returns the context of a call, and begins its span unless there is one. */
  begin(key: string, state: RunState, start: SpanStart): Context | undefined {
    const known = this.#open.get(key)
    if (known) return known.context
    const call = openCalls(state).find((open) => open.key === key)
    if (!call) return undefined
    const { tracer, content } = this.#tracing
    const attributes: Attributes = {
      ...toolAttributes(call.name, 'function'),
      'gen_ai.tool.call.id': call.id,
      'interleave.call': key,
      ...(content && { 'gen_ai.tool.call.arguments': content.json(call.input) }),
    }
    const span = new OpenSpan(tracer, `execute_tool ${call.name}`, { ...start, kind: SpanKind.INTERNAL, attributes })
    this.#open.set(key, span)
    return span.context
  }

  contextOf(key: string): Context | undefined {
    return this.#open.get(key)?.context
  }

  /** Ends a call with its result. `before` is the state in which it was open; a call that never started has a span too. */
  finish(event: EventOf<'observed'>, before: RunState, start: SpanStart): void {
    const { call: key, error, at } = event
    const call = openCalls(before).find((open) => open.key === key)
    const wasStarted = this.#open.has(key)
    this.begin(key, before, start)
    const span = this.#open.get(key)
    if (!span || !call) return
    this.#open.delete(key)
    const { content, metrics } = this.#tracing
    if (error) span.fail(error, content)
    span.end(at, content && { 'gen_ai.tool.call.result': content.json(event.output ?? resultValue(event.result)) })
    if (!wasStarted) return
    const attributes = { ...toolAttributes(call.name, 'function'), ...(error && { 'error.type': error.code }) }
    metrics?.recordMs('gen_ai.execute_tool.duration', at - span.startedAt, attributes, span.context)
  }

  /** Ends the spans of waiting calls, since the trace of a paused run ends. */
  pause(at: number, signal: string): void {
    for (const span of this.#open.values()) span.end(at, { 'interleave.signal': signal })
    this.#open.clear()
  }
}
