import type { Failure, RunState } from '@interleave/core'
import {
  type Attributes,
  type Context,
  type HrTime,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { errorAttributes } from './attributes.ts'
import type { Content } from './content.ts'
import type { Metrics } from './metrics.ts'

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
}

/** Converts milliseconds since the epoch, because a tracer interprets a small number as one of `performance.now()`. */
export function timeAt(ms: number): HrTime {
  const seconds = Math.floor(ms / 1000)
  return [seconds, Math.floor((ms - seconds * 1000) * 1e6)]
}

/** A span that has not ended, with the context of its children. */
export class Work {
  readonly span: Span
  readonly context: Context
  readonly startedAt: number

  constructor(span: Span, parent: Context, startedAt: number) {
    this.span = span
    this.context = trace.setSpan(parent, span)
    this.startedAt = startedAt
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
