import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { clientTool } from '@interleave/connect/worker'
import {
  type Agent,
  agent,
  answer,
  approval,
  choice,
  choices,
  confirm,
  form,
  link,
  reasonAct,
  type Step,
  type ToolOptions,
  type TypedQuestion,
  text,
  tool,
} from '@interleave/core'
import type { RunContext } from '@interleave/core/steps'
import { type ScriptedTurn, scriptedModel } from '@interleave/testing'
import { z } from 'zod'

/** The agents whose runs the suite looks at. They hold nothing, so that any host can serve them. */
export const runSuiteAgents = (): readonly Agent[] => [
  agent({ name: 'echo', model: answering((call) => `Heard: ${usersOf(call).join(' | ')}`) }),
  agent({ name: 'thinker', exposeReasoning: false, model: answering(() => ({ reasoning: 'Hm.', text: 'Well.' })) }),
  agent({ name: 'endless', model: endless() }),
  agent({ name: 'held', model: answering(echo), backend: reasonAct({ before: [untilSpokenTo] }) }),
  agent({ name: 'mending', model: answering(echo), backend: reasonAct({ before: [failOnce] }) }),
  agent({ name: 'broken', model: answering((call) => (isMended(call) ? 'It works.' : new Error('It is broken.'))) }),
  agent({ name: 'typed', model: answering(typedAnswer), output: answer(z.object({ sum: z.number() })) }),
  agent({
    name: 'limited',
    model: answering((call) => resultOf(call) ?? { calls: [{ name: 'look', input: {} }] }),
    tools: { look: tool({ inputSchema: z.object({}), effect: 'readOnly', execute: () => 'Seen.' }) },
    backend: reasonAct({ limits: { iterations: 1 } }),
  }),
  agent({
    name: 'asker',
    model: answering((call) => resultOf(call) ?? { calls: [{ name: 'ask', input: { kind: usersOf(call).at(-1) } }] }),
    tools: { ask: askTool() },
  }),
  agent({
    name: 'cashier',
    model: answering((call) => resultOf(call) ?? { calls: [{ name: 'charge', input: { cents: 500 } }] }),
    tools: {
      charge: tool({
        inputSchema: z.object({ cents: z.number().max(1_000) }),
        approve: approval(),
        execute: ({ cents }) => `Charged ${cents}.`,
      }),
    },
  }),
  agent({
    name: 'marker',
    model: answering((call) => resultOf(call) ?? { calls: [{ name: 'mark', input: { text: 'this' } }] }),
    tools: {
      mark: clientTool({ inputSchema: z.object({ text: z.string() }), outputSchema: z.number(), effect: 'idempotent' }),
    },
  }),
]

type Turn = (call: LanguageModelV4CallOptions) => ScriptedTurn

/** A model that says what follows from what it is given, however many runs ask it. */
const answering = (turn: Turn): LanguageModelV4 => ({
  ...scriptedModel(),
  doStream: (call) => scriptedModel(turn).doStream(call),
})

const echo: Turn = (call) => `Heard: ${usersOf(call).join(' | ')}`

const typedAnswer: Turn = ({ tools }) => ({
  calls: [{ name: tools?.at(-1)?.name ?? '', input: { sum: 3 } }],
})

/** Returns the messages of users, each as one text. */
const usersOf = ({ prompt }: LanguageModelV4CallOptions): readonly string[] =>
  prompt.flatMap((message) =>
    message.role === 'user' ? [message.content.map((part) => (part.type === 'text' ? part.text : '')).join('')] : [],
  )
const isMended = (call: LanguageModelV4CallOptions): boolean => usersOf(call).length > 1

/** Returns the result of the last call, once there was one. */
function resultOf({ prompt }: LanguageModelV4CallOptions): string | undefined {
  const last = prompt.at(-1)
  if (last?.role !== 'tool') return undefined
  const [part] = last.content
  return part?.type === 'tool-result' ? `Got ${JSON.stringify(part.output)}` : undefined
}

/** Streams until it is aborted, or for some seconds without an abort. */
const endless = (): LanguageModelV4 => ({
  ...scriptedModel(),
  doStream: async ({ abortSignal }) => ({ stream: words(abortSignal) }),
})

function words(signal: AbortSignal | undefined): ReadableStream<LanguageModelV4StreamPart> {
  let count = 0
  return new ReadableStream({
    start(stream) {
      stream.enqueue({ type: 'stream-start', warnings: [] })
      stream.enqueue({ type: 'text-start', id: '0' })
    },
    async pull(stream) {
      await new Promise((resolve) => setTimeout(resolve, 5))
      if (signal?.aborted) stream.error(signal.reason)
      else if (count === 2_000) stream.error(new Error('Nobody stopped it.'))
      else stream.enqueue({ type: 'text-delta', id: '0', delta: `${count++} ` })
    },
  })
}

/** Works on, and does not rest, until a second message is there. */
const untilSpokenTo: Step = async (run: RunContext) => {
  await run.durable()
  while (run.state.iteration === 0 && run.state.pending.length < 2 && !run.abortSignal.aborted) {
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  return undefined
}

const failOnce: Step = (run: RunContext) => {
  if (run.state.notes.failed) return undefined
  run.emit({ type: 'noted', key: 'failed', value: true })
  return { type: 'failed', error: { code: 'step_failed', message: 'Not this time.', retryable: true } }
}

const sizes = ['small', 'large'] as const

/** A question of each kind that a tool can ask. */
const questions = (): Readonly<Record<string, TypedQuestion<unknown>>> => ({
  choice: choice({ prompt: 'Which?', options: sizes }),
  choices: choices({ prompt: 'Which of them?', options: sizes, min: 1 }),
  confirm: confirm({ prompt: 'Sure?' }),
  text: text({ prompt: 'What?', maxLength: 5 }),
  link: link({ prompt: 'Is it paid?', url: 'https://shop.example/pay' }),
  form: form({ prompt: 'For whom?', schema: z.object({ name: z.string(), seats: z.coerce.number().default(1) }) }),
})

/** Asks what it is called with, and gives what was answered. */
export const askTool = (): ToolOptions<{ kind: string }, unknown> =>
  tool({
    inputSchema: z.object({ kind: z.string() }),
    execute: ({ kind }, context) => context.ask(questions()[kind] ?? confirm({ prompt: kind })),
  })
