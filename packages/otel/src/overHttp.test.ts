import { text } from 'node:stream/consumers'
import { remoteAgent } from '@interleave/connect/http'
import { agent } from '@interleave/core'
import { memoryJournal } from '@interleave/core/journal'
import { mcpClient, mcpTools, serveAgents } from '@interleave/mcp'
import { createHandler } from '@interleave/server'
import { nodeListener } from '@interleave/server/node'
import { closeServers, listen } from '@interleave/test-kit/listen'
import { scriptedModel } from '@interleave/testing'
import { createMcpHandler, createRequestStateCodec, McpServer } from '@modelcontextprotocol/server'
import { context, propagation } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { BatchSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { caller } from '../../mcp/src/testing/agents.ts'
import { serveShop } from '../../mcp/src/testing/shopServer.ts'
import { otel } from './otel.ts'
import { Collected } from './testing/collect.ts'

beforeEach(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
})
afterEach(async () => {
  context.disable()
  propagation.disable()
  await closeServers()
})

/** A span as OTLP has it, in JSON. */
interface OtlpSpan {
  readonly traceId: string
  readonly spanId: string
  readonly parentSpanId?: string
  readonly name: string
  readonly kind: number
  readonly startTimeUnixNano: string
  readonly endTimeUnixNano: string
  readonly attributes: readonly { readonly key: string; readonly value: object }[]
}

/** A collector: it takes what the official exporter sends. */
async function collector(): Promise<{ url: string; spans: OtlpSpan[] }> {
  const spans: OtlpSpan[] = []
  const { url } = await listen(async (request, response) => {
    const { resourceSpans } = JSON.parse(await text(request))
    for (const { scopeSpans } of resourceSpans) for (const scope of scopeSpans) spans.push(...scope.spans)
    response.setHeader('content-type', 'application/json').end('{}')
  })
  return { url: `${url}/v1/traces`, spans }
}

it('is one trace from the page by the server to a tool of another, as a collector receives it', async () => {
  const { url, spans } = await collector()
  const provider = new TracerProvider({
    spanProcessors: [new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url }) })],
  })
  const tracer = provider.getTracer('test')
  const telemetry = otel(tracer)
  const shop = await serveShop()
  const tools = mcpTools(mcpClient({ url: shop.url, trace: telemetry.headers }))
  const handle = createHandler({
    agents: [telemetry.trace(caller(tools, 'add', { a: 1, b: 2 }))],
    journal: memoryJournal(),
    secret: 'a secret for tests that is long enough.',
    authorize: () => 'ada',
  })
  const api = await listen(nodeListener(telemetry.serve(handle)))
  const buyer = remoteAgent({ url: api.url, name: 'buyer', headers: () => telemetry.headers() })
  const signal = await tracer.startActiveSpan('click', async (span) => {
    const run = buyer.start('Add them.')
    span.end()
    return run.settled
  })
  expect(signal).toMatchObject({ type: 'answer', output: 'Done.' })
  await provider.forceFlush()
  await provider.shutdown()

  const named = (name: string) => spans.filter((span) => span.name === name)
  const [click, run, tool] = ['click', 'invoke_agent buyer', 'execute_tool add'].map((name) => named(name)[0])
  expect(spans.map(({ name }) => name).toSorted()).toEqual([
    'chat scripted',
    'chat scripted',
    'click',
    'execute_tool add',
    'invoke_agent buyer',
  ])
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([click?.traceId]))
  expect(run?.parentSpanId).toBe(click?.spanId)
  for (const below of [...named('chat scripted'), tool]) expect(below?.parentSpanId).toBe(run?.spanId)
  const sent = shop.world.of('tools/call')[0]?.body.params?._meta
  expect(sent).toMatchObject({ traceparent: `00-${tool?.traceId}-${tool?.spanId}-01` })
  // 1 is internal and 3 is a client.
  expect([run?.kind, named('chat scripted')[0]?.kind, tool?.kind]).toEqual([1, 3, 1])
  expect(named('chat scripted')[0]?.attributes).toContainEqual({
    key: 'gen_ai.usage.input_tokens',
    value: { intValue: 10 },
  })
  for (const { startTimeUnixNano: from, endTimeUnixNano: to } of spans)
    expect(BigInt(to)).toBeGreaterThanOrEqual(BigInt(from))
})

it('continues the trace of an MCP client in the run of an agent that a server offers', async () => {
  const [client, server] = [new Collected(), new Collected()]
  const telemetry = otel(client.tracer)
  const offering = otel(server.tracer)
  const guide = offering.trace(agent({ name: 'guide', model: scriptedModel('Bern.') }))
  const codec = createRequestStateCodec<{ run: string }>({ key: 'a key for tests that is long enough.' })
  const journal = memoryJournal()
  const handler = createMcpHandler(() => {
    const offered = new McpServer({ name: 'bureau', version: '1' }, { requestState: { verify: codec.verify } })
    const agents = { guide: { agent: guide, description: 'Plans trips.' } }
    serveAgents(offered, { agents, journal, codec, trace: offering.within })
    return offered
  })
  const { url } = await listen(nodeListener((request) => handler.fetch(request)))
  const tools = await mcpTools(mcpClient({ url, trace: telemetry.headers }))
  await telemetry.trace(caller(tools, 'guide', { task: 'A trip.' })).start('Go').settled

  const call = client.named('execute_tool guide').spanContext()
  const run = server.named('invoke_agent guide')
  expect([run.spanContext().traceId, run.parentSpanContext?.spanId]).toEqual([call.traceId, call.spanId])
})
