import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { laws } from '@interleave/test-kit/laws'
import { scriptedModel } from '@interleave/testing'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { delegate } from './agents/index.ts'
import { agent, localHost, reasonAct, tool } from './index.ts'
import { memoryJournal } from './journal/index.ts'
import { concurrently, sideCall } from './steps/index.ts'

/** Values that code may throw without a reason, which must not count as a success. */
const reasons: readonly unknown[] = [undefined, null, 0, '', false, Number.NaN]

const call = { type: 'tool-call', toolCallId: 'c', toolName: 'pay', input: '{}' } as const
/** Creates a model whose first stream makes a call and then ends with the reason; the second answers. */
function breaking(reason: unknown): LanguageModelV4 {
  const answers = scriptedModel('Done.')
  const stream = (): ReadableStream<LanguageModelV4StreamPart> => {
    let pulled = 0
    return new ReadableStream({
      pull(controller) {
        if (pulled++ === 0) controller.enqueue(call)
        else controller.error(reason)
      },
    })
  }
  let asked = 0
  return { ...answers, doStream: async (given) => (asked++ === 0 ? { stream: stream() } : answers.doStream(given)) }
}

const backend = reasonAct({ think: { retries: 0 } })

it.each(reasons)('takes a stream that breaks off with %s for a failure, and runs none of its calls', async (reason) => {
  let paid = 0
  const pay = tool({ inputSchema: z.object({}), execute: () => ++paid })

  const run = agent({ name: 'a', model: breaking(reason), tools: { pay }, backend }).start('Go', {
    observers: [laws()],
  })
  const signal = await run.settled
  run.resume()

  expect(signal).toMatchObject({ type: 'failed', error: { code: 'model_failed' } })
  expect(await run.settled).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(paid).toBe(0)
})

it.each(reasons)('takes a model that rejects with %s for a failure', async (reason) => {
  const answers = scriptedModel('Done.')
  let asked = 0
  const doStream: LanguageModelV4['doStream'] = (given) =>
    asked++ === 0 ? Promise.reject(reason) : answers.doStream(given)

  const run = agent({ name: 'a', model: { ...answers, doStream }, backend }).start('Go')
  const signal = await run.settled
  run.resume()

  expect(signal).toMatchObject({ type: 'failed', error: { code: 'model_failed' } })
  expect(await run.settled).toMatchObject({ output: 'Done.' })
})

it.each(reasons)('tells the model of a tool that throws %s', async (reason) => {
  const broken = {
    sync: tool({
      inputSchema: z.object({}),
      execute: () => {
        throw reason
      },
    }),
    later: tool({ inputSchema: z.object({}), execute: () => Promise.reject(reason) }),
    bit: tool({
      inputSchema: z.object({}),
      async *execute() {
        yield 'half'
        throw reason
      },
    }),
  }
  const model = scriptedModel({ calls: Object.keys(broken).map((name) => ({ name, input: {} })) }, 'Done.')

  const run = agent({ name: 'a', model, tools: broken }).start('Go')
  await run.settled

  const calls = run.state.history.flat().flatMap((entry) => (entry.type === 'turn' ? entry.calls : []))
  expect(calls.map(({ result, error }) => [result?.type, error?.code])).toEqual(
    Object.keys(broken).map(() => ['error-text', 'tool_failed']),
  )
})

it.each(reasons)('takes a step that throws %s for a failure', async (reason) => {
  const throws = () => {
    throw reason
  }
  const throwing = (run: Parameters<typeof backend>[0]) => {
    run.replan({ concurrent: concurrently(() => Promise.reject(reason)) })
    return undefined
  }
  const starts = [throws, async () => throws(), reasonAct({ before: [throwing] })].map((step) =>
    agent({ name: 'a', model: scriptedModel('Done.'), backend: step }).start('Go'),
  )

  for (const run of starts) expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'step_failed' } })
})

it.each(reasons)('takes a side call that fails with %s for a failure', async (reason) => {
  const model = { ...scriptedModel(), doStream: () => Promise.reject(reason) }
  const step = async (run: Parameters<typeof backend>[0]) => {
    await sideCall(run, { key: 'k', prompt: [], retries: 0 })
    return { type: 'answer', output: 'It answered.', reason: 'text' } as const
  }

  const run = agent({ name: 'a', model, backend: step }).start('Go')

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'model_failed' } })
})

it.each(reasons)('takes an external agent that fails with %s for a failure', async (reason) => {
  const external = {
    name: 'coder',
    async *run() {
      yield { type: 'text', delta: 'Half' } as const
      throw reason
    },
  }

  const run = agent({ name: 'a', backend: delegate(external) }).start('Go')

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'model_failed' } })
})

it.each(reasons)(
  'takes a journal that rejects with %s for one that failed, and continues with it later',
  async (reason) => {
    const kept = memoryJournal()
    let fails = true
    const append: typeof kept.append = (...given) => (fails ? Promise.reject(reason) : kept.append(...given))
    const run = agent({ name: 'a', model: scriptedModel('Done.'), backend }).start('Go', {
      id: 'r',
      journal: { ...kept, append },
    })

    const signal = await run.settled
    fails = false
    run.resume()

    expect(signal).toMatchObject({ type: 'failed', error: { code: 'journal_failed' } })
    expect(await run.settled).toMatchObject({ output: 'Done.' })
  },
)

it.each(reasons)('takes a host that rejects with %s for one that failed', async (reason) => {
  const hosts = (['model', 'tool'] as const).map((kind) => ({
    ...localHost,
    perform: <T>(effect: { kind: string }, body: () => PromiseLike<T>): PromiseLike<T> =>
      effect.kind === kind ? Promise.reject(reason) : body(),
  }))
  let looked = 0
  const look = tool({ inputSchema: z.object({}), effect: 'atMostOnce', execute: () => ++looked })
  const runs = hosts.map((host) =>
    agent({
      name: 'a',
      model: scriptedModel({ calls: [{ name: 'look', input: {} }] }, 'Done.'),
      tools: { look },
    }).start('Go', { host, journal: memoryJournal() }),
  )

  expect(await Promise.all(runs.map(({ settled }) => settled))).toMatchObject([
    { type: 'failed', error: { code: 'step_failed' } },
    // It is unknown whether the call ran.
    { type: 'inputNeeded', asks: [{ kind: 'choice' }] },
  ])
  expect(looked).toBe(0)
})
