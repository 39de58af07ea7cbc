import { OpenTelemetry } from '@ai-sdk/otel'
import { agent, reasonAct } from '@interleave/core'
import { scriptedModel } from '@interleave/testing'
import { isStepCount, streamText, tool } from 'ai'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { otel } from './otel.ts'
import { Collected } from './testing/collect.ts'

const script = () =>
  scriptedModel(
    [
      { type: 'response-metadata', id: 'response-1', modelId: 'scripted' },
      { type: 'tool-call', toolCallId: 'call-1', toolName: 'weather', input: '{"place":"Bern"}' },
      { type: 'finish', finishReason: { unified: 'tool-calls', raw: 'tool_calls' }, usage },
    ],
    [
      { type: 'response-metadata', id: 'response-2', modelId: 'scripted' },
      { type: 'text-start', id: '0' },
      { type: 'text-delta', id: '0', delta: 'It is ' },
      { type: 'text-delta', id: '0', delta: 'sunny.' },
      { type: 'text-end', id: '0' },
      { type: 'finish', finishReason: { unified: 'stop', raw: 'stop' }, usage },
    ],
  )
const usage = {
  inputTokens: { total: 10, noCache: 8, cacheRead: 1, cacheWrite: 1 },
  outputTokens: { total: 5, text: 3, reasoning: 2 },
}
const weather = tool({
  description: 'The weather.',
  inputSchema: z.object({ place: z.string() }),
  execute: ({ place }) => ({ place, sky: 'sunny' }),
})
const settings = { temperature: 0.5, maxOutputTokens: 100 }

async function theirs(): Promise<Collected> {
  const collected = new Collected()
  const { text } = streamText({
    model: script(),
    tools: { weather },
    system: 'Be kind.',
    prompt: 'How is Bern?',
    stopWhen: isStepCount(3),
    ...settings,
    telemetry: { functionId: 'guide', integrations: new OpenTelemetry({ tracer: collected.tracer }) },
  })
  await text
  return collected
}

async function ours(): Promise<Collected> {
  const collected = new Collected()
  const guide = agent({
    name: 'guide',
    model: script(),
    instructions: 'Be kind.',
    tools: { weather },
    backend: reasonAct({ think: { settings } }),
  })
  await otel(collected.tracer, { content: true }).trace(guide).start('How is Bern?').settled
  return collected
}

/** `operation attribute`, each once. */
const namesOf = ({ spans }: Collected): Set<string> =>
  new Set(
    spans.flatMap(({ attributes }) =>
      Object.keys(attributes).map((name) => `${attributes['gen_ai.operation.name']} ${name}`),
    ),
  )

it('names what the AI SDK names, for the same run', async () => {
  const [their, our] = [namesOf(await theirs()), namesOf(await ours())]

  expect([...their].filter((name) => !our.has(name)).toSorted()).toEqual([
    // They have a span for each step. A turn is one `chat`, and its tools are beside it.
    'agent_step gen_ai.operation.name',
    // Metrics as attributes: a span has its duration, and we have `gen_ai.response.time_to_first_chunk` for the first chunk.
    'chat gen_ai.client.operation.duration',
    'chat gen_ai.client.operation.time_per_output_chunk',
    'chat gen_ai.client.operation.time_to_first_chunk',
    'execute_tool gen_ai.execute_tool.duration',
    // Instructions and settings are those of each turn, and not of the run.
    'invoke_agent gen_ai.request.max_tokens',
    'invoke_agent gen_ai.request.temperature',
    'invoke_agent gen_ai.system_instructions',
  ])
  expect([...our].filter((name) => !their.has(name)).toSorted()).toEqual([
    'chat gen_ai.output.type',
    'chat gen_ai.request.stream',
    'chat gen_ai.response.time_to_first_chunk',
    'chat gen_ai.usage.reasoning.output_tokens',
    'execute_tool interleave.call',
    'invoke_agent gen_ai.agent.version',
    'invoke_agent gen_ai.conversation.id',
    'invoke_agent gen_ai.usage.reasoning.output_tokens',
    'invoke_agent interleave.signal',
  ])
})

it('gives the attributes that both have the same values', async () => {
  const [their, our] = [await theirs(), await ours()]
  const valuesOf = ({ spans }: Collected, operation: string) =>
    spans
      .filter(({ attributes }) => attributes['gen_ai.operation.name'] === operation)
      .map(({ attributes }) => attributes)

  for (const operation of ['chat', 'execute_tool']) {
    const pairs = valuesOf(their, operation).map((attributes, index) => [
      attributes,
      valuesOf(our, operation)[index] ?? {},
    ])
    expect(pairs.length).toBeGreaterThan(0)
    for (const [before = {}, after = {}] of pairs)
      for (const name of Object.keys(before))
        if (name in after) expect({ [name]: parsed(after[name]) }).toEqual({ [name]: parsed(before[name]) })
  }
})

const parsed = (value: unknown): unknown => {
  if (typeof value !== 'string' || !/^[[{]/.test(value)) return value
  return JSON.parse(value)
}
