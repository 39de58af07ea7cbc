import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { type Agent, type Approval, agent, type Run, tool } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import * as z from 'zod'
import { call, pay, type Told } from './call.ts'

/** Ways to declare the tool that its docs warn of, for the controls. */
export interface Declared {
  readonly effect?: 'idempotent'
  readonly approve?: Approval
}

/** The agent of a trial, as its docs say: a tool that may be called again with the same key says so. */
function payer({ tool: kind, world }: Pick<Told, 'tool' | 'world'>, declared: Declared = {}): Agent<string> {
  return agent({
    name: kind,
    model: modelOf(world),
    tools: {
      pay: tool({
        description: 'Pays an amount.',
        inputSchema: z.object({ amount: z.number() }),
        effect: kind === 'idempotent' ? 'idempotent' : 'atMostOnce',
        ...declared,
        // A server knows a run by its user's name and its id.
        execute: ({ amount }, { runId, idempotencyKey }) =>
          pay({ world, tool: kind, run: runId.slice(runId.lastIndexOf('/') + 1) }, amount, idempotencyKey),
      }),
    },
  })
}

/** The agents of a host: one for each kind of tool, by its name. */
export const payers = (world: string): Agent<string>[] =>
  ['naive', 'idempotent', 'changing', 'two-phase'].map((kind) => payer({ tool: kind, world }))

/** Starts the run or resumes it, answers its questions, and reports what its log says. */
export async function payOnce(told: Told, journal: Journal, declared?: Declared): Promise<void> {
  const agent = payer(told, declared)
  const length = (await journal.read(told.run)).length
  await report(
    told,
    length > 0 ? await agent.resume(told.run, { journal }) : agent.start(told.run, { id: told.run, journal }),
  )
}

/** Answers what a run asks as a user would, and reports the payments that its log has. */
export async function report(told: Told, run: Run): Promise<void> {
  const answering = new Set<string>()
  const answer = (): void => {
    for (const ask of run.state.asks) {
      if (answering.has(ask.id)) continue
      answering.add(ask.id)
      if (ask.kind === 'approval') void run.reply(ask, { approved: true } as never)
      else void call<string>(told, '/ask').then((reply) => run.reply(ask, reply as never))
    }
  }
  run.subscribe(answer)
  answer()
  for (let signal = await run.settled; signal.type !== 'answer'; signal = await run.settled) {
    if (signal.type !== 'inputNeeded') throw new Error(JSON.stringify(signal))
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
  const amounts = run.log.flatMap((event) =>
    event.type === 'thought'
      ? event.parts.flatMap((part) => (part.type === 'tool-call' ? [(part.input as { amount: number }).amount] : []))
      : [],
  )
  await call(told, '/done', { amounts })
}

/** A model behind a network, as any is. It knows the run by the user's message. */
export function modelOf(world: string): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'world',
    modelId: 'world',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('Only streams are used.')),
    async doStream({ prompt }) {
      const results = prompt.filter(({ role }) => role === 'tool').length
      const [run = ''] = prompt.flatMap(({ role, content }) =>
        role === 'user' ? content.flatMap((part) => (part.type === 'text' ? [part.text] : [])) : [],
      )
      const turn = await call<{ amount?: number; text?: string }>({ world, run }, '/model', { results })
      const content: LanguageModelV4StreamPart[] =
        turn.text === undefined
          ? [{ type: 'tool-call', toolCallId: crypto.randomUUID(), toolName: 'pay', input: JSON.stringify(turn) }]
          : [
              { type: 'text-start', id: '0' },
              { type: 'text-delta', id: '0', delta: turn.text },
              { type: 'text-end', id: '0' },
            ]
      const unified = turn.text === undefined ? 'tool-calls' : 'stop'
      const finish = { type: 'finish', usage, finishReason: { unified, raw: unified } } as const
      const stream = new ReadableStream<LanguageModelV4StreamPart>({
        start(controller) {
          for (const part of [...content, finish]) controller.enqueue(part)
          controller.close()
        },
      })
      return { stream }
    },
  }
}

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}
