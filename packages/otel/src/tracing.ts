import type { Failure, RunState } from '@interleave/core'
import {
  type Attributes,
  type Context,
  type Histogram,
  type HrTime,
  type Meter,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { errorAttributes } from './attributes.ts'
import type { Content } from './content.ts'

/** The options that all runs of one `otel()` share. */
export interface Tracing {
  readonly tracer: Tracer
  /** Milliseconds since the epoch, for live events. Durable events have their own time. */
  readonly now: () => number
  /** Records content; undefined if content is not recorded. */
  readonly content: Content | undefined
  readonly metrics: Metrics | undefined
  /** Returns the context that the work of a run belongs to. */
  readonly parentOf: (state: RunState, at: number) => Context
  /** Returns the id of the conversation that a run is. */
  readonly conversationOf: (state: RunState) => string
}

/** Converts milliseconds since the epoch, because a tracer interprets a small number as one of `performance.now()`. */
export function timeAt(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000)
  return [seconds, Math.floor((ms - seconds * 1000) * 1e6)]
}

/** The context in which a span starts, and its time. */
export interface SpanStart {
  readonly parent: Context
  readonly at: number
}

/** A span that has not ended, with the context of its children. */
export class OpenSpan {
  readonly span: Span
  readonly context: Context
  readonly startedAt: number

  constructor(tracer: Tracer, name: string, { parent, at, ...options }: SpanStart & SpanOptions) {
    this.span = tracer.startSpan(name, { ...options, startTime: timeAt(at) }, parent)
    this.context = trace.setSpan(parent, this.span)
    this.startedAt = at
  }

  /** Ends the span. `at` may be the time of another clock, and no span ends before it starts. */
  end(at: number, attributes: Attributes = {}): void {
    this.span.setAttributes(attributes)
    this.span.end(timeAt(Math.max(at, this.startedAt)))
  }

  /** Marks the span as failed. The message is content, since it may quote an input. */
  fail(error: Failure, content: Content | undefined): void {
    // A user stopped it.
    if (error.code === 'stopped') return
    this.span.setAttributes(errorAttributes(error))
    this.span.setStatus({
      code: SpanStatusCode.ERROR,
      ...(content && { message: content.text(error.message) }),
    })
  }
}

const seconds = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]
const tokens = [1, 4, 16, 64, 256, 1024, 4096, 16384, 65536, 262144, 1048576, 4194304, 16777216, 67108864]

const durations = {
  'gen_ai.client.operation.duration': 'GenAI operation duration.',
  'gen_ai.client.operation.time_to_first_chunk': 'Time to receive the first chunk.',
  'gen_ai.execute_tool.duration': 'The duration of a single tool execution.',
  'gen_ai.invoke_agent.duration': 'The duration of a single agent invocation.',
} as const
type Duration = keyof typeof durations

/** The histograms of the semantic conventions. */
export class Metrics {
  readonly #durations: ReadonlyMap<Duration, Histogram>
  readonly #tokens: Histogram

  constructor(meter: Meter) {
    this.#durations = new Map(
      Object.entries(durations).map(([name, description]) => [
        name as Duration,
        meter.createHistogram(name, { description, unit: 's', advice: { explicitBucketBoundaries: seconds } }),
      ]),
    )
    this.#tokens = meter.createHistogram('gen_ai.client.token.usage', {
      description: 'Number of input and output tokens used.',
      unit: '{token}',
      advice: { explicitBucketBoundaries: tokens },
    })
  }

  recordMs(name: Duration, ms: number, attributes: Attributes, context: Context): void {
    this.#durations.get(name)?.record(Math.max(0, ms) / 1000, attributes, context)
  }

  recordTokens(type: 'input' | 'output', count: number, attributes: Attributes, context: Context): void {
    this.#tokens.record(count, { ...attributes, 'gen_ai.token.type': type }, context)
  }
}
