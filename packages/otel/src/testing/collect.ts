import { type Host, localHost } from '@interleave/core'
import type { Tracer } from '@opentelemetry/api'
import {
  type IdGenerator,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
  type SpanProcessor,
  TracerProvider,
} from '@opentelemetry/sdk-trace'

/** Creates a host on which no two events have the same time. */
export const tickingHost = (ms = Date.now()): Host => ({ ...localHost, now: () => ms++ })

/** A tracer that stores finished spans in memory. */
export class Collected {
  readonly tracer: Tracer
  /** The number of spans that have not ended. */
  open = 0
  readonly #exporter = new InMemorySpanExporter()
  /** The ids of the spans in the order in which they started. The clock of the machine may be set back meanwhile. */
  readonly #started: string[] = []

  constructor(idGenerator?: IdGenerator) {
    const spanProcessors = [new SimpleSpanProcessor({ exporter: this.#exporter }), this.#counter()]
    this.tracer = new TracerProvider({ spanProcessors, ...(idGenerator && { idGenerator }) }).getTracer('test')
  }

  #counter(): SpanProcessor {
    return {
      onStart: (span) => {
        this.open++
        this.#started.push(span.spanContext().spanId)
      },
      onEnd: () => void this.open--,
      forceFlush: () => Promise.resolve(),
      shutdown: () => Promise.resolve(),
    }
  }

  get spans(): readonly ReadableSpan[] {
    const place = (span: ReadableSpan): number => this.#started.indexOf(span.spanContext().spanId)
    return this.#exporter.getFinishedSpans().toSorted((a, b) => place(a) - place(b))
  }

  /** The names of the spans, each after its parent and deeper by two spaces. */
  get tree(): readonly string[] {
    const below = (parent: string | undefined, depth: number): string[] =>
      this.spans
        .filter((span) => span.parentSpanContext?.spanId === parent)
        .flatMap((span) => [`${'  '.repeat(depth)}${span.name}`, ...below(span.spanContext().spanId, depth + 1)])
    return below(undefined, 0)
  }

  named(name: string): ReadableSpan {
    const span = this.spans.find((each) => each.name === name)
    if (!span)
      throw new Error(`There is no span "${name}". There are: ${this.spans.map((each) => each.name).join(', ')}.`)
    return span
  }
}

/** Milliseconds since the epoch. */
export const timeOf = ([seconds, nanos]: ReadableSpan['startTime']): number => seconds * 1000 + nanos / 1e6
