import { AgentError, agent, approval, choice, reasonAct, tool } from '@interleave/core'
import { agentTool } from '@interleave/core/agents'
import { withBackend } from '@interleave/core/internal'
import { memoryJournal } from '@interleave/core/journal'
import { redact, requestAt } from '@interleave/core/observe'
import { type RunContext, sideCall } from '@interleave/core/steps'
import { toolSource } from '@interleave/core/tools'
import { eventually } from '@interleave/test-kit/eventually'
import { freeMemory } from '@interleave/test-kit/freeMemory'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { type Attributes, context, propagation, SpanStatusCode, trace } from '@opentelemetry/api'
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks'
import { W3CTraceContextPropagator } from '@opentelemetry/core'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { otel } from './otel.ts'
import { Collected, tickingHost } from './testing/collect.ts'

beforeAll(() => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable())
  propagation.setGlobalPropagator(new W3CTraceContextPropagator())
})
afterAll(() => {
  context.disable()
  propagation.disable()
})

const call = (name: string, input: object = {}) => ({ calls: [{ name, input }] })
const plain = tool({ inputSchema: z.object({}), effect: 'readOnly', execute: () => 'sunny' })
const asking = tool({
  inputSchema: z.object({}),
  effect: 'readOnly',
  execute: (_, { ask }) => ask(choice({ prompt: 'Which?', options: ['a', 'b'] })),
})

it('names the conversation without the user, with the same id on the server and in the page', async () => {
  const collected = new Collected()
  const telemetry = otel(collected.tracer)
  const helper = telemetry.trace(agent({ name: 'helper', model: scriptedModel('Sunny.') }))
  const ask = agentTool(helper, { description: 'Asks.' })
  const model = scriptedModel({ calls: [{ name: 'ask', input: { task: 'Look' } }] }, 'Done.')
  const guide = telemetry.trace(agent({ name: 'guide', model, tools: { ask } }))
  const id = 'ada%40acme.example/run-1'
  await guide.start('Hi', { id }).settled

  const ids = ['guide', 'helper'].map(
    (name) => collected.named(`invoke_agent ${name}`).attributes['gen_ai.conversation.id'],
  )
  expect(ids).toEqual(['run-1', 'run-1/1/tool/0'])
  expect(JSON.stringify(collected.spans.map(({ attributes }) => attributes))).not.toContain('acme')
})

it('traces a run as an agent with its turns and tools', async () => {
  const collected = new Collected()
  const model = scriptedModel(call('weather'), 'Sunny.')
  const run = agent({ name: 'guide', model, tools: { weather: plain } }).start('Hi', {
    observers: [otel(collected.tracer)],
  })
  await run.settled

  expect(collected.tree).toEqual(['invoke_agent guide', '  chat scripted', '  execute_tool weather', '  chat scripted'])
  expect(collected.named('invoke_agent guide').attributes).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.name': 'guide',
    'gen_ai.conversation.id': run.id,
    'gen_ai.provider.name': 'scripted',
    'gen_ai.usage.input_tokens': 20,
    'gen_ai.usage.output_tokens': 10,
    'interleave.signal': 'answer',
  })
  expect(collected.named('chat scripted').attributes).toMatchObject({
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'scripted',
    'gen_ai.response.finish_reasons': ['tool-calls'],
    'gen_ai.usage.input_tokens': 10,
    'gen_ai.response.time_to_first_chunk': expect.any(Number),
  })
  expect(collected.named('execute_tool weather').attributes).toMatchObject({
    'gen_ai.tool.name': 'weather',
    'gen_ai.tool.type': 'function',
    'gen_ai.tool.call.id': 'call-0-0',
  })
})

it('links each stretch of work to the one before, and ends the spans of what waits', async () => {
  const collected = new Collected()
  const model = scriptedModel(call('pick'), 'Done.')
  const run = agent({ name: 'guide', model, tools: { pick: asking } }).start('Hi', {
    observers: [otel(collected.tracer)],
  })
  await run.settled
  expect(collected.tree).toEqual(['invoke_agent guide', '  chat scripted', '  execute_tool pick'])
  await run.reply(run.state.asks[0]?.id ?? '', 'a')
  await run.settled

  const [first, second] = collected.spans.filter(({ name }) => name === 'invoke_agent guide')
  expect(collected.tree.slice(3)).toEqual(['invoke_agent guide', '  execute_tool pick', '  chat scripted'])
  expect(first?.attributes['interleave.signal']).toBe('inputNeeded')
  expect(first?.events.map(({ name, attributes }) => [name, attributes?.['interleave.ask.kind']])).toEqual([
    ['interleave.asked', 'choice'],
  ])
  expect(second?.links.map(({ context: { spanId } }) => spanId)).toEqual([first?.spanContext().spanId])
  expect(second?.events.map(({ name }) => name)).toEqual(['interleave.replied'])
  expect(second?.attributes['gen_ai.usage.input_tokens']).toBe(10)
})

it('traces a call that was refused, and one that failed', async () => {
  const collected = new Collected()
  const broken = tool({ inputSchema: z.object({}), execute: () => Promise.reject(new Error('The key is 1234.')) })
  const guarded = tool({ inputSchema: z.object({}), approve: approval(), execute: () => 'never' })
  const model = scriptedModel(
    {
      calls: [
        { name: 'broken', input: {} },
        { name: 'guarded', input: {} },
      ],
    },
    'Sorry.',
  )
  const run = agent({ name: 'guide', model, tools: { broken, guarded } }).start('Hi', {
    observers: [otel(collected.tracer)],
  })
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', { approved: false })
  await run.settled

  const failed = collected.named('execute_tool broken')
  expect(failed.status).toEqual({ code: SpanStatusCode.ERROR })
  expect(failed.attributes['error.type']).toBe('tool_failed')
  expect(collected.named('execute_tool guarded').attributes['error.type']).toBe('tool_refused')
  expect(JSON.stringify(collected.spans.map(({ attributes, status }) => [attributes, status]))).not.toContain('1234')
})

it('nests the run of a child agent the call that it works for, also after a question', async () => {
  const collected = new Collected()
  const telemetry = otel(collected.tracer)
  const helper = agent({ name: 'helper', model: scriptedModel(call('pick'), 'B.'), tools: { pick: asking } })
  const tools = { help: agentTool(helper, { description: 'Helps.', observers: [telemetry] }) }
  const main = agent({ name: 'main', model: scriptedModel(call('help', { task: 'Pick.' }), 'Done.'), tools })
  const run = main.start('Hi', { observers: [telemetry] })
  await run.settled
  await run.reply(run.state.asks[0]?.id ?? '', 'b')
  await run.settled

  expect(collected.tree).toEqual([
    'invoke_agent main',
    '  chat scripted',
    '  execute_tool help',
    '    invoke_agent helper',
    '      chat scripted',
    '      execute_tool pick',
    'invoke_agent main',
    '  execute_tool help',
    '    invoke_agent helper',
    '      execute_tool pick',
    '      chat scripted',
    '  chat scripted',
  ])
})

it('is no failure that a user stops a run', async () => {
  const collected = new Collected()
  const model = scriptedModel(() => new Promise(() => {}))
  const run = agent({ name: 'guide', model }).start('Hi', { observers: [otel(collected.tracer)] })
  await run.stop()
  await run.settled

  expect(collected.tree).toEqual(['invoke_agent guide', '  chat scripted'])
  expect(collected.spans.map(({ status }) => status.code)).toEqual([SpanStatusCode.UNSET, SpanStatusCode.UNSET])
  expect(collected.named('invoke_agent guide').attributes['interleave.signal']).toBe('stopped')
})

it('ends the spans of a run that another object takes over', async () => {
  const collected = new Collected()
  const telemetry = otel(collected.tracer)
  const journal = memoryJournal()
  const guide = (turn: ScriptedTurn) => telemetry.trace(agent({ name: 'guide', model: scriptedModel(turn) }))
  const first = guide(() => new Promise(() => {})).start('Hi', { id: 'one', journal })
  await first.say('Hello?')
  const second = await guide('Hello.').resume('one', { journal })
  await second.settled

  expect(collected.tree).toEqual(['invoke_agent guide', '  chat scripted', 'invoke_agent guide', '  chat scripted'])
  const [before, after] = collected.spans.filter(({ name }) => name === 'invoke_agent guide')
  expect(before?.attributes['interleave.signal']).toBe('unfinished')
  expect(after?.attributes['interleave.signal']).toBe('answer')
  expect(after?.links.map(({ context: { spanId } }) => spanId)).toEqual([before?.spanContext().spanId])
})

it('does not trace that looks at the prompt of a turn', async () => {
  const collected = new Collected()
  const model = scriptedModel(call('pick'), 'Done.')
  const guide = otel(collected.tracer).trace(agent({ name: 'guide', model, tools: { pick: asking } }))
  const run = guide.start('Hi')
  const leave = run.subscribe((event) => {
    if (event.type === 'claimed') void requestAt(guide, run.log, 2)
  })
  await run.settled
  leave()
  expect(await requestAt(guide, run.log, 2)).toMatchObject({ prompt: [{ role: 'user' }] })

  expect(collected.tree).toEqual(['invoke_agent guide', '  chat scripted', '  execute_tool pick'])
  expect(collected.named('invoke_agent guide').attributes['interleave.signal']).toBe('inputNeeded')
  expect(collected.open).toBe(0)
})

it('traces an agent whose tools come from a source', async () => {
  const collected = new Collected()
  const tools = toolSource({ current: () => ({ pick: asking }) })
  const guide = otel(collected.tracer).trace(
    withBackend(agent({ name: 'guide', model: scriptedModel(call('pick')), tools }), reasonAct()),
  )
  const before = Object.keys(guide.tools)

  expect(await guide.start('Hi').settled).toMatchObject({ type: 'inputNeeded' })
  expect([before, Object.keys(guide.tools), guide.name]).toEqual([[], ['pick'], 'guide'])
})

it('does not keep the history of a run that has settled', async () => {
  const telemetry = otel(new Collected().tracer)
  const held = new WeakRef(
    await (async () => {
      const run = agent({ name: 'guide', model: scriptedModel('Hello.') }).start('Hi', { observers: [telemetry] })
      await run.settled
      return run.state.history[0] as object
    })(),
  )
  await eventually(() => {
    freeMemory()
    expect(held.deref() === undefined).toBe(true)
  })
  expect(telemetry).toBeDefined()
})

it('runs models and tools inside of their spans, and gives their headers', async () => {
  const collected = new Collected()
  const telemetry = otel(collected.tracer)
  const seen: Record<string, string | undefined> = {}
  const note = (name: string): void => {
    seen[name] = trace.getSpanContext(context.active())?.spanId
  }
  const where = tool({
    inputSchema: z.object({}),
    async execute(_, toolContext) {
      await Promise.resolve()
      note('tool')
      seen.active = telemetry.headers().traceparent
      seen.explicit = context.with(trace.deleteSpan(context.active()), () => telemetry.headers(toolContext)).traceparent
      return 'here'
    },
  })
  const model = scriptedModel(async () => {
    await Promise.resolve()
    note('model')
    return call('where')
  }, 'Done.')
  await telemetry.trace(agent({ name: 'guide', model, tools: { where } })).start('Hi').settled

  const span = collected.named('execute_tool where').spanContext()
  expect(seen).toEqual({
    model: collected.named('chat scripted').spanContext().spanId,
    tool: span.spanId,
    active: `00-${span.traceId}-${span.spanId}-01`,
    explicit: `00-${span.traceId}-${span.spanId}-01`,
  })
})

it('runs the tools of a traced child inside of their own spans, and those of another inside of its call', async () => {
  for (const isTraced of [true, false]) {
    const collected = new Collected()
    const telemetry = otel(collected.tracer)
    let active: string | undefined
    const look = tool({
      inputSchema: z.object({}),
      effect: 'readOnly',
      execute: () => {
        active = trace.getSpanContext(context.active())?.spanId
      },
    })
    const helper = agent({ name: 'helper', model: scriptedModel(call('look'), 'B.'), tools: { look } })
    const tools = { help: agentTool(isTraced ? telemetry.trace(helper) : helper, { description: 'Helps.' }) }
    const main = agent({ name: 'main', model: scriptedModel(call('help', { task: 'Look.' }), 'Done.'), tools })
    await telemetry.trace(main).start('Hi').settled

    expect(active).toBe(collected.named(isTraced ? 'execute_tool look' : 'execute_tool help').spanContext().spanId)
  }
})

it('continues the trace of a request in the run that it starts, and in the one that it continues', async () => {
  const collected = new Collected()
  const telemetry = otel(collected.tracer)
  const guide = telemetry.trace(
    agent({ name: 'guide', model: scriptedModel(call('pick'), 'Ok.'), tools: { pick: asking } }),
  )
  const journal = memoryJournal()
  const handle = telemetry.serve(async (request) => {
    await Promise.resolve()
    const id = new URL(request.url).searchParams.get('run')
    const run = id === null ? guide.start('Hi', { journal, id: 'one' }) : await guide.resume(id, { journal })
    if (id !== null) await run.reply(run.state.asks[0]?.id ?? '', 'a')
    await run.settled
  })
  const send = (url: string, id: string) =>
    handle(new Request(url, { headers: { traceparent: `00-${id}-00f067aa0ba902b7-01` } }))
  await send('http://localhost/', '4bf92f3577b34da6a3ce929d0e0e4736')
  await send('http://localhost/?run=one', '5bf92f3577b34da6a3ce929d0e0e4736')

  const segments = collected.spans.filter(({ name }) => name === 'invoke_agent guide')
  expect(segments.map((span) => [span.spanContext().traceId, span.parentSpanContext?.spanId])).toEqual([
    ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'],
    ['5bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'],
  ])
})

it('does the work of a request that carries nothing', () => {
  const telemetry = otel(new Collected().tracer)
  for (const nothing of [undefined, null]) {
    expect(telemetry.within(nothing, () => 'done')).toBe('done')
    expect(telemetry.headers(nothing)).toEqual({})
  }
  expect(() => otel(new Collected().tracer, { meter: {} as never })).toThrow('`meter` must be')
})

it('traces each attempt, and side calls', async () => {
  const collected = new Collected()
  const busy = new AgentError('model_failed', 'Busy.', { retryable: true, status: 503 })
  const model = scriptedModel(busy, 'Yes.', 'Done.')
  const turns = reasonAct({ think: { retryDelayMs: 1 } })
  const backend = Object.assign(async (run: RunContext) => {
    const signal = await turns(run)
    if (signal) await sideCall(run, { key: 'judge', prompt: [{ role: 'system', content: 'Was it true?' }] })
    return signal
  }, turns)
  await otel(collected.tracer)
    .trace(agent({ name: 'guide', model, backend }))
    .start('Hi').settled

  const chats = collected.spans.filter(({ name }) => name === 'chat scripted')
  expect(
    chats.map(({ attributes }) => [
      attributes['error.type'],
      attributes['http.response.status_code'],
      attributes['interleave.side_call'],
    ]),
  ).toEqual([
    ['model_failed', 503, undefined],
    [undefined, undefined, undefined],
    [undefined, undefined, 'consult/judge'],
  ])
  expect(collected.named('invoke_agent guide').events.map(({ name }) => name)).toEqual(['interleave.retrying'])
})

const names = (attributes: Attributes): string[] => Object.keys(attributes)
const contentNames = [
  'gen_ai.input.messages',
  'gen_ai.output.messages',
  'gen_ai.system_instructions',
  'gen_ai.tool.call.arguments',
  'gen_ai.tool.call.result',
  'gen_ai.tool.definitions',
]

it('records content only if asked to, without secrets, and not longer than it may be', async () => {
  const traced = async (content: NonNullable<Parameters<typeof otel>[1]>['content']) => {
    const collected = new Collected()
    const long = tool({
      inputSchema: z.object({ q: z.string() }),
      effect: 'readOnly',
      execute: () => ({ text: '"'.repeat(100_000) }),
    })
    const model = scriptedModel(call('long', { q: 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH' }), 'Fine.')
    const guide = agent({ name: 'guide', instructions: 'Be kind.', model, tools: { long } })
    const host = tickingHost()
    await otel(collected.tracer, { ...(content !== undefined && { content }), maxLength: 1_000, now: host.now })
      .trace(guide)
      .start('Hi', { host }).settled
    return collected
  }
  const off = await traced(undefined)
  const on = await traced(true)
  const redacted = await traced({ redact: (value) => redact(value).value })

  const recorded = (collected: Collected) => collected.spans.flatMap(({ attributes }) => names(attributes))
  expect(recorded(off).filter((name) => contentNames.includes(name))).toEqual([])
  expect(new Set(recorded(on))).toEqual(new Set([...recorded(off), ...contentNames]))
  const values = on.spans.flatMap(({ attributes }) => contentNames.flatMap((name) => attributes[name] ?? []))
  for (const value of values) expect(JSON.parse(String(value)), String(value)).toBeTruthy()
  expect(Math.max(...values.map((value) => String(value).length))).toBeLessThanOrEqual(1_000)
  expect(JSON.stringify(values)).toContain('sk-proj-')
  expect(JSON.stringify(redacted.spans.map(({ attributes }) => attributes))).not.toContain('sk-proj-')
  expect(on.spans.at(-1)?.attributes['gen_ai.input.messages']).toContain('tool_call_response')
})

it.each([true, false])('never harms a run: a tracer that throws (traced agent: %s)', async (isTraced) => {
  const reported = vi.fn()
  vi.stubGlobal('reportError', reported)
  try {
    const error = new Error('The exporter is down.')
    const tracer = {
      startSpan() {
        throw error
      },
    }
    const telemetry = otel(tracer as never)
    const guide = agent({ name: 'guide', model: scriptedModel(call('weather'), 'Sunny.'), tools: { weather: plain } })
    const run = isTraced ? telemetry.trace(guide).start('Hi') : guide.start('Hi', { observers: [telemetry] })
    expect(await run.settled).toMatchObject({ type: 'answer', output: 'Sunny.' })
    await Promise.resolve()
    expect(reported).toHaveBeenCalledWith(error)
  } finally {
    vi.unstubAllGlobals()
  }
})
