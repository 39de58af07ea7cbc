import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { scriptedModel } from '@interleave/testing'
import { textMode } from '@interleave/text'
import { expect, it } from 'vitest'
import { z } from 'zod'
import { delegate } from '../agents/index.ts'
import { type Agent, agent, localHost, reasonAct, tool } from '../index.ts'
import { yielder } from './wait.ts'

/** A clock by which each look at it takes a millisecond: what is measured is how much was done, and not how fast. */
const clock = (): (() => number) => {
  let now = 0
  return () => ++now
}

/** Counts the turns that a timer gets while the run works. */
function otherWork(): { readonly turns: number; end(): void } {
  let turns = 0
  const timer = setInterval(() => turns++, 0)
  return {
    get turns() {
      return turns
    },
    end: () => clearInterval(timer),
  }
}

it('lets others have their turn by time, and by number where the clock does not move', async () => {
  const byTime = yielder({ now: clock() })
  const byNumber = yielder({ now: () => 0 })

  const pauses = Array.from({ length: 36 }, () => byTime()).filter(Boolean)
  const many = Array.from({ length: 10_000 }, () => byNumber())

  expect(pauses.length).toBeGreaterThan(0)
  expect(many.findIndex(Boolean)).toBe(9_999)
  await Promise.all([...pauses, ...many])
})

it('ends a tool that is always ready when its time is up', async () => {
  let yielded = 0
  let isLeft = false
  const flood = tool({
    inputSchema: z.object({}),
    effect: 'readOnly',
    timeoutMs: 50,
    async *execute() {
      try {
        for (;;) yield ++yielded
      } finally {
        isLeft = true
      }
    },
  })
  const model = scriptedModel({ calls: [{ name: 'flood', input: {} }] }, 'Done.')
  const others = otherWork()

  const run = agent({ name: 'a', model, tools: { flood } }).start('Go')
  const signal = await run.settled
  others.end()

  expect(signal).toMatchObject({ type: 'answer', output: 'Done.' })
  expect(run.state.history.flat()).toMatchObject([{}, { calls: [{ error: { code: 'tool_timeout' } }] }, {}])
  expect(others.turns).toBeGreaterThan(0)
  await expect.poll(() => isLeft).toBe(true)
})

it('leaves time for others while a model is always ready, and stops when it must', async () => {
  const others = otherWork()
  let isCancelled = false
  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    pull: (to) => to.enqueue({ type: 'text-delta', id: '0', delta: '' }),
    cancel() {
      isCancelled = true
    },
  })
  const model: LanguageModelV4 = { ...scriptedModel(), doStream: async () => ({ stream }) }
  const host = { ...localHost, now: clock() }
  const think = { retries: 0, caps: { maxMs: 1e9, idleMs: 1e9, maxParts: 1e9 } }

  const run = agent({ name: 'a', model, backend: reasonAct({ think }) }).start('Go', { host })
  await expect.poll(() => others.turns).toBeGreaterThan(1)
  await run.stop()
  others.end()

  expect(await run.settled).toMatchObject({ type: 'stopped' })
  await expect.poll(() => isCancelled).toBe(true)
})

it.each<[string, () => Agent]>([
  [
    'an external agent that only counts',
    () =>
      agent({
        name: 'a',
        backend: delegate({
          name: 'coder',
          async *run() {
            for (;;) yield { type: 'usage', input: 1, output: 1 } as const
          },
        }),
      }),
  ],
  [
    'a model in text mode that writes nothing',
    () => {
      const part = { type: 'text-delta', id: '0', delta: '' } as const
      const stream = new ReadableStream<LanguageModelV4StreamPart>({ pull: (to) => to.enqueue(part) })
      const model: LanguageModelV4 = { ...scriptedModel(), doStream: async () => ({ stream }) }
      const look = tool({ inputSchema: z.object({}), execute: () => 'seen' })
      return agent({ name: 'a', model: textMode(model), tools: { look } })
    },
  ],
])('leaves time for others while %s is always ready', async (_, describe) => {
  const others = otherWork()

  const run = describe().start('Go')
  await expect.poll(() => others.turns).toBeGreaterThan(1)
  await run.stop()
  others.end()

  expect(await run.settled).toMatchObject({ type: 'stopped' })
})

it('gives up a model in text mode whose text has no end and is held back', async () => {
  const delta = ' '.repeat(100_000)
  const stream = new ReadableStream<LanguageModelV4StreamPart>({
    pull: (to) => to.enqueue({ type: 'text-delta', id: '0', delta }),
  })
  const model: LanguageModelV4 = { ...scriptedModel(), doStream: async () => ({ stream }) }
  const look = tool({ inputSchema: z.object({}), execute: () => 'seen' })
  const backend = reasonAct({ think: { retries: 0 } })

  const run = agent({ name: 'a', model: textMode(model), tools: { look }, backend }).start('Go')

  expect(await run.settled).toMatchObject({ type: 'failed', error: { code: 'model_too_large' } })
})

it('gives up a stream whose reader never answers', async () => {
  const reader = { read: () => new Promise(() => {}), cancel: () => undefined }
  const stream = { getReader: () => reader } as unknown as ReadableStream<LanguageModelV4StreamPart>
  const model: LanguageModelV4 = { ...scriptedModel(), doStream: async () => ({ stream }) }
  const run = agent({ name: 'a', model }).start('Go')

  await run.stop()

  expect(await run.settled).toMatchObject({ type: 'stopped' })
})
