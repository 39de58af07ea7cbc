import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { type Agent, agent, confirm, type Run, reasonAct, type Step, type ToolContext, tool } from '@interleave/core'
import type { Activity, RunContext } from '@interleave/core/steps'
import * as z from 'zod'
import { createKit } from '../kit.ts'
import { type Place, toolName } from '../work.ts'

/** What a call or a step of a run does: n pieces of something. */
export type Body = (work: Pick<Activity, 'ask' | 'once'>, size: number) => Promise<unknown>

export const sure = confirm({ prompt: 'Sure?' })

export function callingOnce(name: string, input: object = {}): LanguageModelV4 {
  return callingTimes(1, name, input)
}

/** A model that calls a tool so many times in its first turn, and answers in its second. It has no memory. */
export const callingTimes = (times: number, name: string, input: object = {}): LanguageModelV4 => ({
  specificationVersion: 'v4',
  provider: 'instant',
  modelId: 'instant',
  supportedUrls: {},
  async doStream({ prompt }) {
    const calls = Array.from({ length: times }, (_, n) => callOf(`call ${n}`, name, input))
    const parts = prompt.at(-1)?.role === 'tool' ? text : calls
    return { stream: streamOf([...parts, finish]) }
  },
  doGenerate: () => Promise.reject(new Error('Only streams are measured.')),
})

const streamOf = (parts: readonly LanguageModelV4StreamPart[]): ReadableStream<LanguageModelV4StreamPart> =>
  new ReadableStream({
    start(stream) {
      for (const part of parts) stream.enqueue(part)
      stream.close()
    },
  })

const callOf = (toolCallId: string, name: string, input: object): LanguageModelV4StreamPart => ({
  type: 'tool-call',
  toolCallId,
  toolName: name,
  input: JSON.stringify(input),
})

const text: readonly LanguageModelV4StreamPart[] = [
  { type: 'text-start', id: 'text' },
  { type: 'text-delta', id: 'text', delta: 'Done.' },
  { type: 'text-end', id: 'text' },
]

const finish: LanguageModelV4StreamPart = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: undefined },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: 1, text: 1, reasoning: 0 },
  },
}

/** An agent that does all of it in one call of a tool. */
export function inOneCall(body: Body, size: number): Agent {
  const execute = async (_: object, { ask, once }: ToolContext): Promise<void> => {
    await body({ once, ask: (_key, question) => ask(question) }, size)
  }
  const work = tool({ inputSchema: z.object({}), execute, timeoutMs: Number.POSITIVE_INFINITY })
  return agent({ name: 'a', model: callingOnce('work'), tools: { work } })
}

/** An agent that does all of it in one step. */
export function inOneStep(body: (run: RunContext, size: number) => Promise<unknown>, size: number): Agent {
  const backend: Step = async (run) => {
    await body(run, size)
    return { type: 'answer', output: 'Done.', reason: 'text' }
  }
  return agent({ name: 'a', model: callingOnce('work'), backend })
}

/** An agent that asks a question in each turn. */
export function createAsker(): Agent {
  const kit = createKit()
  const execute = async (place: Place, { ask }: ToolContext): Promise<Place> => {
    await ask(sure)
    return kit.execute(place)
  }
  return agent({
    name: 'asker',
    model: kit.model,
    tools: { [toolName]: tool({ inputSchema: kit.schema, execute }) },
    backend: reasonAct({ limits: { iterations: 1_000_000 } }),
  })
}

/** Answers all questions of a run until it is over. */
export async function answered(run: Run): Promise<Run> {
  for (;;) {
    const signal = await run.settled
    if (signal.type === 'answer') return run
    if (signal.type !== 'inputNeeded') throw new Error(`The run rests with ${JSON.stringify(signal)}.`)
    await Promise.all(run.state.asks.map(({ id }) => run.reply(id, true)))
  }
}
