import type { RunState } from '@interleave/core'
import { type EventOf, openCalls } from '@interleave/core/observe'
import { type Attributes, type Context, SpanKind } from '@opentelemetry/api'
import { resultValue } from './content.ts'
import { type Tracing, timeAt, Work } from './tracing.ts'

/** The `execute_tool` spans of one run. */
export class ToolCalls {
  readonly #tracing: Tracing
  readonly #open = new Map<string, Work>()

  constructor(tracing: Tracing) {
    this.#tracing = tracing
  }

  /** Returns the context of a call, and begins its span unless there is one. */
  begin(key: string, state: RunState, { parent, at }: { parent: Context; at: number }): Context | undefined {
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
    const options = { kind: SpanKind.INTERNAL, startTime: timeAt(at), attributes }
    const work = new Work(tracer.startSpan(`execute_tool ${call.name}`, options, parent), parent, at)
    this.#open.set(key, work)
    return work.context
  }

  contextOf(key: string): Context | undefined {
    return this.#open.get(key)?.context
  }

  /** Ends a call with its result. `before` is the state in which it was open; a call that never started has a span too. */
  finish(event: EventOf<'observed'>, before: RunState, place: { parent: Context; at: number }): void {
    const { call: key, error, at } = event
    const call = openCalls(before).find((open) => open.key === key)
    const wasStarted = this.#open.has(key)
    this.begin(key, before, place)
    const work = this.#open.get(key)
    if (!work || !call) return
    this.#open.delete(key)
    const { content, metrics } = this.#tracing
    if (error) work.fail(error, content)
    work.end(at, content && { 'gen_ai.tool.call.result': content.json(event.output ?? resultValue(event.result)) })
    if (!wasStarted) return
    const attributes = { ...toolAttributes(call.name, 'function'), ...(error && { 'error.type': error.code }) }
    metrics?.recordMs('gen_ai.execute_tool.duration', at - work.startedAt, attributes, work.context)
  }

  /** Ends the spans of waiting calls, since the trace of a paused run ends. */
  pause(at: number, signal: string): void {
    for (const work of this.#open.values()) work.end(at, { 'interleave.signal': signal })
    this.#open.clear()
  }
}

export const toolAttributes = (name: string, type: 'function' | 'extension'): Attributes => ({
  'gen_ai.operation.name': 'execute_tool',
  'gen_ai.tool.name': name,
  'gen_ai.tool.type': type,
})
