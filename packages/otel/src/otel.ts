import type { Agent, Effect, Host, Listener, ResumeOptions, StartOptions } from '@interleave/core'
import { localHost } from '@interleave/core'
import { assertOption, checkOptions, derivedAgent, dryHosts, isAgent, quietly } from '@interleave/core/internal'
import {
  type Context,
  context,
  isSpanContextValid,
  type Meter,
  propagation,
  type Tracer,
  trace,
} from '@opentelemetry/api'
import { Content, type ContentOptions } from './content.ts'
import { type ModelCall, RunTrace } from './runTrace.ts'
import { Metrics, type Tracing } from './tracing.ts'

export interface OtelOptions {
  /** Records the metrics of the conventions. */
  meter?: Meter
  /** Records prompts, answers, inputs and outputs of tools, and messages of errors. They are omitted by default. */
  content?: boolean | ContentOptions
  /** The maximum length of an attribute with content, in characters; 16,384 by default. */
  maxLength?: number
  /**
   * Returns milliseconds since the epoch, for events whose time is not in the log, such as the first chunk. `Date.now`
   * by default.
   */
  now?: () => number
}

/** An observer that traces runs, and functions that propagate their traces. */
export interface Telemetry extends Listener {
  /**
   * Returns the agent with all of its runs traced, wherever they start or resume. Its models and tools run inside of
   * their spans, which also have the prompts and settings.
   */
  trace<A extends Agent>(agent: A): A
  /**
   * Returns the headers that propagate a trace, such as `traceparent`: that of a tool call, by the context of its
   * function, or that of the active span.
   */
  headers(of?: object | null): Record<string, string>
  /** Runs `work` in the trace that a carrier names: headers, or the `_meta` of an MCP request. */
  within<T>(carrier: object | null | undefined, work: () => T): T
  /** Wraps a request handler so that the trace of a request continues in the runs that it starts or continues. */
  serve<Answer>(handle: (request: Request) => Answer): (request: Request) => Answer
}

/**
 * Traces runs by the GenAI semantic conventions of OpenTelemetry. Attach it to runs as an observer, or once to an agent.
 *
 * @example
 * const telemetry = otel(trace.getTracer('my-app'))
 * const run = telemetry.trace(guide).start('Which museums open on Monday?')
 */
export function otel(tracer: Tracer, options: OtelOptions = {}): Telemetry {
  checkOptions('otel()', options, ['meter', 'content', 'maxLength', 'now'])
  assertOption(
    typeof Object(tracer).startSpan === 'function',
    'otel() needs a tracer, such as trace.getTracer("my-app") of @opentelemetry/api.',
  )
  const { now = Date.now } = options
  const traces = new Traces(tracer, options, () => context.active())
  const observe: Listener = (event, state) => traces.of(state.runId).receive(event, state)
  const telemetry: Telemetry = Object.assign(observe, {
    trace: <A extends Agent>(agent: A): A => traceAgent(agent, { telemetry, traces, now }),
    headers: (of?: object | null): Record<string, string> => {
      const carrier: Record<string, string> = {}
      propagation.inject(traces.contextFor(of ?? {}) ?? context.active(), carrier)
      return carrier
    },
    within,
    serve:
      <Answer>(handle: (request: Request) => Answer) =>
      (request: Request) =>
        within(Object.fromEntries(request.headers), () => handle(request)),
  })
  return telemetry
}

/**
 * Runs work in the trace of a carrier, unless another trace is active: that one continues the carrier's trace, or is
 * more specific.
 */
function within<T>(carrier: object | null | undefined, work: () => T): T {
  const active = context.active()
  const known = trace.getSpanContext(active)
  if (known && isSpanContextValid(known)) return work()
  const texts = Object.entries(carrier ?? {}).filter(([, value]) => typeof value === 'string')
  return context.with(propagation.extract(active, Object.fromEntries(texts)), work)
}

/** The maximum number of runs to remember. The next work of a forgotten run is not linked to its earlier work. */
const mostRuns = 10_000

/** The traces of all runs of one `otel()`, by run. */
export class Traces {
  readonly #tracing: Tracing
  readonly #runs = new Map<string, RunTrace>()

  constructor(
    tracer: Tracer,
    { meter, content, maxLength = 16_384, now = Date.now }: OtelOptions,
    root: () => Context,
  ) {
    assertOption(
      maxLength >= 16 && maxLength <= 2 ** 24,
      '`maxLength` must be a number of characters from 16 to 16,777,216.',
    )
    assertOption(
      content === undefined || typeof content === 'boolean' || typeof content.redact === 'function',
      '`content` must be true, false or { redact }, such as { redact: (value) => redact(value).value }.',
    )
    assertOption(
      meter === undefined || typeof Object(meter).createHistogram === 'function',
      '`meter` must be a meter, such as metrics.getMeter("my-app") of @opentelemetry/api.',
    )
    this.#tracing = {
      tracer,
      now,
      metrics: meter && new Metrics(meter),
      content: content ? new Content(content === true ? {} : content, maxLength) : undefined,
      parentOf: ({ parent }, at) =>
        (parent && this.#runs.get(parent.runId)?.contextOf(parent.key, { at, wakes: true })) ?? root(),
      conversationOf: ({ runId, parent }) => {
        if (!parent) return withoutUser(runId)
        const above = this.#runs.get(parent.runId)?.conversation || withoutUser(parent.runId)
        return `${above}/${parent.key}`
      },
    }
  }

  of(runId: string): RunTrace {
    const known = this.#runs.get(runId)
    if (known) return known
    if (this.#runs.size >= mostRuns) this.#forgetOne()
    const made = new RunTrace(this.#tracing)
    this.#runs.set(runId, made)
    return made
  }

  /** Forgets the oldest run that does not work; if all work, the oldest. */
  #forgetOne(): void {
    let [forgotten] = this.#runs
    for (const entry of this.#runs) {
      if (entry[1].isWorking) continue
      forgotten = entry
      break
    }
    if (!forgotten) return
    this.#runs.delete(forgotten[0])
    forgotten[1].close(this.#tracing.now())
  }

  /** Returns the context of the call that a tool's context belongs to. */
  contextFor(of: object): Context | undefined {
    const { idempotencyKey } = of as { idempotencyKey?: unknown }
    if (typeof idempotencyKey !== 'string') return undefined
    const path = idempotencyKey.split('/')
    const key = path.splice(-3).join('/')
    return this.#runs.get(path.join('/'))?.currentOf(key)
  }
}

interface AgentTracing {
  readonly telemetry: Telemetry
  readonly traces: Traces
  readonly now: () => number
}

function traceAgent<A extends Agent>(agent: A, tracing: AgentTracing): A {
  assertOption(isAgent(agent), 'trace() takes an agent. Describe one with agent({ … }).')
  const traced = <Options extends ResumeOptions>(options: Options): Options => {
    const { telemetry } = tracing
    if (options.host && dryHosts.has(options.host)) return options
    let runId: string | undefined
    const observe: Listener = (event, state) => {
      // An earlier object of this run may never report its end.
      if (runId === undefined) tracing.traces.of(state.runId).close(tracing.now())
      runId = state.runId
      telemetry(event, state)
    }
    const others = (options.observers ?? []).filter((other) => other !== telemetry)
    const host = tracedHost(agent, { ...tracing, host: options.host ?? localHost, runId: () => runId })
    return { ...options, observers: [observe, ...others], host }
  }
  return derivedAgent(agent, {
    start: (input: Parameters<Agent['start']>[0], options: StartOptions = {}) => agent.start(input, traced(options)),
    resume: (from: Parameters<Agent['resume']>[0], options: ResumeOptions = {}) => agent.resume(from, traced(options)),
  })
}

interface HostTracing extends AgentTracing {
  readonly host: Host
  readonly runId: () => string | undefined
}

/**
 * Returns the host, with the effects of one run inside of their spans. Not a copy: a host may be an instance of a
 * class.
 */
function tracedHost(agent: Agent, { host, runId, traces, now }: HostTracing): Host {
  const perform: Host['perform'] = (effect, body) => {
    const id = runId()
    return host.perform(effect, () => {
      const inside =
        id === undefined ? undefined : quietly(() => around(agent, { effect, of: traces.of(id), at: now() }))
      if (!inside) return body()
      const done = context.with(inside.context, body)
      const end = (result?: unknown): void => void quietly(() => inside.end?.(result))
      if (inside.end) done.then(end, () => end())
      return done
    })
  }
  return {
    now: () => host.now(),
    newId: () => host.newId(),
    timer: (...args) => host.timer(...args),
    ...(host.onLeave && { onLeave: host.onLeave.bind(host) }),
    ...(host.onUnload && { onUnload: host.onUnload.bind(host) }),
    perform,
  }
}

/** Returns the context in which an effect runs. */
function around(agent: Agent, { effect, of, at }: { effect: Effect; of: RunTrace; at: number }): ModelCall | undefined {
  const child = effect.key.indexOf('>')
  if (effect.kind === 'model' && child < 0) {
    const provider = agent.models.find(({ modelId }) => modelId === effect.name)?.provider
    return of.beginModelCall(effect, provider)
  }
  // The effects of a child run are inside of the call that it works for.
  const context = of.contextOf(child < 0 ? effect.key : effect.key.slice(0, child), { at })
  return context && { context }
}

/** Returns the id of a run as its user knows it: on a server, it follows their name, which a trace must not have. */
const withoutUser = (runId: string): string => runId.slice(runId.indexOf('/') + 1)
