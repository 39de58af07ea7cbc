import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { type Agent, agent, type Run, type StartOptions, tool } from '@interleave/core'
import type { Journal } from '@interleave/core/journal'
import * as z from 'zod'
import { call, pay, type Told } from './call.ts'

/** The agent of a trial, as its docs say: a tool that may be called again with the same key says so. */
function payer(told: Told): Agent<string> {
  return agent({
    name: 'payer',
    model: modelOf(told),
    tools: {
      pay: tool({
        description: 'Pays an amount.',
        inputSchema: z.object({ amount: z.number() }),
        effect: told.tool === 'idempotent' ? 'idempotent' : 'once',
        execute: ({ amount }, { idempotencyKey }) => pay(told, amount, idempotencyKey),
      }),
    },
  })
}

/** Begins the run, or goes on with it, answers what it asks, and reports what its log says. */
export async function payOnce(told: Told, journal: Journal, options: StartOptions = {}): Promise<void> {
  const worker = payer(told)
  const length = (await journal.read(told.run)).length
  const run =
    length > 0
      ? await worker.resume(told.run, { ...options, journal })
      : worker.start('Pay.', { ...options, id: told.run, journal })
  await report(told, run)
}

/** Answers what a run asks as a person would, and reports the payments that its log has. */
async function report(told: Told, run: Run): Promise<void> {
  const answering = new Set<string>()
  const answer = (): void => {
    for (const ask of run.state.asks) {
      if (answering.has(ask.id)) continue
      answering.add(ask.id)
      void call<string>(told, '/ask').then((reply) => run.reply(ask, reply as never))
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

/** A model behind a network, as any is. */
function modelOf(told: Told): LanguageModelV4 {
  return {
    specificationVersion: 'v4',
    provider: 'world',
    modelId: 'world',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('Only streams are used.')),
    async doStream({ prompt }) {
      const results = prompt.filter(({ role }) => role === 'tool').length
      const turn = await call<{ amount?: number; text?: string }>(told, '/model', { results })
      const content: LanguageModelV4StreamPart[] =
        turn.text === undefined
          ? [{ type: 'tool-call', toolCallId: 'call', toolName: 'pay', input: JSON.stringify(turn) }]
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
