import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { agent, type Run, reasonAct, tool } from '@interleave/core'
import { agentTool } from '@interleave/core/agents'
import { hideErrors } from '@interleave/core/internal'
import { memoryJournal } from '@interleave/core/journal'
import { failureSentences } from '@interleave/core/observe'
import { collect } from '@interleave/test-kit/collect'
import { manualModel } from '@interleave/test-kit/manualModel'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import type { AgUiEvent } from '../protocol.ts'
import { booking, everyQuestion, payloads } from '../testing/everyQuestion.ts'
import { clientMessages, verified } from '../testing/verify.ts'
import { payloadReply } from './interrupts.ts'
import { agUiMessages } from './messages.ts'
import { agUiEvents, toAgUi } from './toAgUi.ts'

const inputSchema = z.object({})

const typesOf = (events: readonly AgUiEvent[]): string[] => events.map(({ type }) => type)
const find = <Type extends AgUiEvent['type']>(events: readonly AgUiEvent[], type: Type) =>
  events.filter((event): event is Extract<AgUiEvent, { type: Type }> => event.type === type)
const withoutActivity = (messages: readonly { role: string }[]) =>
  JSON.parse(
    JSON.stringify(
      messages.filter(({ role }) => role !== 'activity').map((message) => ({ ...message, error: undefined })),
    ),
  )

/** Holds what a run streamed to the official schemas, and to what the log says. */
async function holds(run: Run, events: readonly AgUiEvent[]): Promise<void> {
  await verified(events)
  await verified(toAgUi(run.log))
  expect(withoutActivity(await clientMessages(events))).toEqual(
    withoutActivity(agUiMessages(run.log.map((event) => hideErrors(event)))),
  )
}

it('streams reasoning, text and the input of a call as they come', async () => {
  const look = tool({ inputSchema, execute: () => 'seen' })
  const model = scriptedModel({ reasoning: 'Hm.', text: 'I look.', calls: [{ name: 'look', input: {} }] }, 'Done.')
  const run = agent({ name: 'a', model, tools: { look } }).start('Go', { id: 'r' })
  const events = await collect(agUiEvents(run))

  await holds(run, events)
  expect(typesOf(events)).toEqual([
    ...['RUN_STARTED', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END', 'STEP_STARTED'],
    ...['REASONING_START', 'REASONING_MESSAGE_START', 'REASONING_MESSAGE_CONTENT', 'REASONING_MESSAGE_END'],
    ...['REASONING_END', 'TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END'],
    ...['TOOL_CALL_START', 'TOOL_CALL_ARGS', 'TOOL_CALL_END', 'TOOL_CALL_RESULT', 'STEP_FINISHED', 'STEP_STARTED'],
    ...['TEXT_MESSAGE_START', 'TEXT_MESSAGE_CONTENT', 'TEXT_MESSAGE_END', 'STEP_FINISHED', 'RUN_FINISHED'],
  ])
  expect(find(events, 'RUN_FINISHED')).toMatchObject([
    { threadId: 'r', runId: 'r/1', outcome: { type: 'success' }, result: 'Done.', usage: [{ model: 'scripted' }] },
  ])
})

it('asks every kind of question as an interrupt whose payload answers it', async () => {
  const booked: unknown[] = []
  const run = everyQuestion(booked).start('A table')
  const seen: AgUiEvent[] = []
  const reading = (async () => {
    for await (const event of agUiEvents(run, { follow: true })) {
      seen.push(event)
      if (event.type === 'RUN_FINISHED' && event.outcome.type === 'success') return
    }
  })()
  const kinds: string[] = []
  for (const payload of payloads) {
    await run.settled
    const [ask] = run.state.asks
    if (!ask) throw new Error('Nothing is asked.')
    kinds.push(ask.kind)
    await run.reply(ask, payloadReply(ask, payload as never) as never)
  }
  await reading

  await holds(run, seen)
  expect(booked).toEqual([booking])
  expect(kinds).toEqual(['approval', 'choice', 'choices', 'text', 'form', 'link', 'confirm'])
  const interrupts = find(seen, 'RUN_FINISHED').flatMap(({ outcome }) =>
    outcome.type === 'interrupt' ? outcome.interrupts : [],
  )
  expect(interrupts.map(({ reason }) => reason)).toEqual([
    ...['tool_call', 'input_required', 'input_required', 'input_required', 'input_required'],
    ...['interleave:link', 'confirmation'],
  ])
  expect(interrupts.map(({ toolCallId }) => toolCallId)).toEqual(payloads.map(() => '1/tool/0'))
})

it('continues the thread with the run before as the parent', async () => {
  const run = agent({ name: 'a', model: scriptedModel('One.', 'Two.') }).start('Go', { id: 'r' })
  await run.settled
  await run.say('Again')
  await run.settled
  const started = find(toAgUi(run.log), 'RUN_STARTED')

  expect(started.map(({ runId, parentRunId }) => [runId, parentRunId])).toEqual([
    ['r/1', undefined],
    ['r/4', 'r/1'],
  ])
})

it('begins a run for what a stop writes while the run waits, and cancels it', async () => {
  const run = everyQuestion().start('A table')
  await run.settled
  await run.stop()
  const events = toAgUi(run.log)

  await holds(run, events)
  expect(typesOf(events).slice(-4)).toEqual(['RUN_FINISHED', 'RUN_STARTED', 'TOOL_CALL_RESULT', 'RUN_FINISHED'])
  expect(find(events, 'RUN_FINISHED').map(({ outcome }) => outcome.type)).toEqual(['interrupt', 'cancelled'])
})

it('reports a failure as RUN_ERROR, and a limit as an interrupt', async () => {
  const broken = agent({ name: 'a', model: scriptedModel(new Error('No key.')) }).start('Go')
  const failed = await collect(agUiEvents(broken))
  const look = tool({ inputSchema, execute: () => 'seen' })
  const model = scriptedModel(() => ({ calls: [{ name: 'look', input: {} }] }))
  const backend = reasonAct({ limits: { iterations: 1 } })
  const limited = agent({ name: 'b', model, tools: { look }, backend }).start('Go')
  const asked = await collect(agUiEvents(limited))

  await holds(broken, failed)
  await holds(limited, asked)
  expect(failed.at(-1)).toMatchObject({
    type: 'RUN_ERROR',
    message: failureSentences.model_failed,
    code: 'model_failed',
  })
  expect(asked.at(-1)).toMatchObject({ outcome: { interrupts: [{ reason: 'interleave:extension' }] } })
})

const parts = (...deltas: string[]): LanguageModelV4StreamPart[] => [
  { type: 'text-start', id: '0' },
  ...deltas.map((delta) => ({ type: 'text-delta', id: '0', delta }) as const),
]

it('takes back what had streamed of an attempt that failed', async () => {
  const model = scriptedModel(
    [...parts('Half a'), { type: 'error', error: { status: 503, message: 'Overloaded' } }],
    'Whole.',
  )
  const run = agent({ name: 'a', model }).start('Go')
  const events = await collect(agUiEvents(run))

  await holds(run, events)
  expect(find(events, 'MESSAGES_SNAPSHOT')).toHaveLength(1)
  expect(find(events, 'CUSTOM')).toMatchObject([
    { name: 'interleave.retrying', value: { message: failureSentences.model_failed } },
  ])
})

it('shows a reader who joins in the middle of a turn what has streamed of it', async () => {
  const model = manualModel()
  const run = agent({ name: 'a', model }).start('Go', { journal: memoryJournal() })
  await model.called(1)
  model.say('Hel')
  await expect.poll(() => run.state.draft?.text).toBe('Hel')
  const events = collect(agUiEvents(run))
  model.say('lo')
  model.end()

  await holds(run, await events)
  expect(find(await events, 'TEXT_MESSAGE_CONTENT').map(({ delta }) => delta)).toContain('Hel')
})

it('keeps the thoughts of an agent that does not expose them', async () => {
  const look = tool({ inputSchema, execute: () => 'seen' })
  const model = scriptedModel({ reasoning: 'Secret', text: 'Secret', calls: [{ name: 'look', input: {} }] }, 'Done.')
  const run = agent({ name: 'a', model, tools: { look }, exposeReasoning: false }).start('Go')
  const events = await collect(agUiEvents(run))

  await verified(events)
  expect(JSON.stringify([events, toAgUi(run.log)])).not.toContain('Secret')
  expect(events.at(-1)).toMatchObject({ result: 'Done.' })
})

it('shows a child run as a subagent, with its progress and its questions', async () => {
  const helper = everyQuestion()
  const model = scriptedModel({ calls: [{ name: 'help', input: { task: 'A table' } }] }, 'Done.')
  const run = agent({ name: 'boss', model, tools: { help: agentTool(helper, { description: 'Books.' }) } }).start(
    'Go',
    {
      id: 'r',
    },
  )
  const events = await collect(agUiEvents(run))
  await run.stop()

  await holds(run, events)
  expect(find(events, 'SUBAGENT_STARTED')).toMatchObject([
    { subagentRunId: 'r/1/tool/0', name: 'help', parentToolCallId: '1/tool/0' },
  ])
  expect(find(events, 'ACTIVITY_SNAPSHOT').at(-1)).toMatchObject({
    subagentRunId: 'r/1/tool/0',
    content: { toolCallId: '1/tool/0', output: { agent: 'guide', text: 'I book.' } },
  })
  const [{ outcome } = {}] = find(events, 'RUN_FINISHED')
  expect(outcome).toMatchObject({ interrupts: [{ reason: 'interleave:approval', subagentRunId: 'r/1/tool/0' }] })
  const [interrupt] = outcome?.type === 'interrupt' ? outcome.interrupts : []
  expect(find(events, 'SUBAGENT_FINISHED')).toMatchObject([
    { outcome: { type: 'suspended', interruptIds: [interrupt?.id] } },
  ])
})

it('shares what the app takes of the state, each time that it changes', async () => {
  const look = tool({ inputSchema, execute: () => 'seen' })
  const model = scriptedModel({ calls: [{ name: 'look', input: {} }] }, 'Done.')
  const run = agent({ name: 'a', model, tools: { look } }).start('Go')
  const events = await collect(agUiEvents(run, { state: ({ toolCalls }) => ({ toolCalls }) }))

  await verified(events)
  expect(find(events, 'STATE_SNAPSHOT').map(({ snapshot }) => snapshot)).toEqual([{ toolCalls: 0 }, { toolCalls: 1 }])
})
