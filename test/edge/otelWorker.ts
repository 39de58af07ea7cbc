import { type DurableContext, type DurableNamespace, runObject, serveRuns, userObject } from '@interleave/cloudflare'
import { agent, choice, tool } from '@interleave/core'
import { otel } from '@interleave/otel'
import { scriptedModel } from '@interleave/testing'
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { z } from 'zod'

interface Env {
  readonly RUNS: DurableNamespace
  readonly USERS: DurableNamespace
}

const exporter = new InMemorySpanExporter()
const tracer = new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }).getTracer('edge')

const book = tool({
  inputSchema: z.object({ people: z.number() }),
  execute: async ({ people }, { ask }) =>
    `A table for ${people} at ${await ask(choice({ prompt: 'When?', options: ['19:00', '20:30'] }))}.`,
})
// The model depends on its messages alone, since an object may be created again in the middle of a run.
const model = scriptedModel(({ prompt }) =>
  prompt.at(-1)?.role === 'tool' ? 'See you.' : { calls: [{ name: 'book', input: { people: 2 } }] },
)
const agents = [otel(tracer).trace(agent({ name: 'waiter', model, tools: { book } }))]

/** The Durable Object of one run. */
export class RunObject {
  constructor(ctx: DurableContext, { USERS }: Env) {
    Object.assign(this, runObject(ctx, { agents, secret: 'a secret of at least 32 bytes, for tests', users: USERS }))
  }
}

/** The Durable Object of one user. */
export class UserObject {
  constructor(ctx: DurableContext, { RUNS }: Env) {
    Object.assign(this, userObject(ctx, { runs: RUNS }))
  }
}

/** Returns the parts of the finished spans that the test checks. */
const spans = (): readonly object[] =>
  exporter.getFinishedSpans().map((span) => ({
    name: span.name,
    status: span.status.code,
    id: span.spanContext().spanId,
    parent: span.parentSpanContext?.spanId,
    links: span.links.length,
    signal: span.attributes['interleave.signal'],
    run: span.attributes['gen_ai.conversation.id'],
  }))

export default {
  fetch(request: Request, { RUNS, USERS }: Env): Promise<Response> | Response {
    if (new URL(request.url).pathname === '/spans') return Response.json(spans())
    return serveRuns({ runs: RUNS, users: USERS, authorize: () => 'ada' })(request)
  },
}
