import { AgentError } from '@interleave/core'
import { manualHost } from '@interleave/testing'
import { expect, it } from 'vitest'
import type { PageContext } from '../pageCalls.ts'
import type { ClientCall } from '../toolCalls.ts'
import { ClientCalls } from './clientCalls.ts'

const toolCall: ClientCall = {
  type: 'tool',
  call: 'c',
  name: 'mark',
  input: {},
  ...{ toolCallId: 't', runId: 'r', idempotencyKey: 'k' },
}

/** Returns true for the question whether a call may run. */
const isTake = (body: unknown): boolean => 'takes' in Object(body)

/** Creates a page with one function, and a server that lets it run, and answers like this. */
function pageOf(answer: (times: number) => unknown) {
  const told: unknown[] = []
  let times = 0
  const call = async (_: string, { body }: { body?: unknown }) =>
    isTake(body) ? { taken: true } : answer(told.push(body))
  const host = manualHost()
  const calls = new ClientCalls({ tools: { mark: () => ++times }, server: { call }, host, client: 'me' })
  const take = async (given: ClientCall = toolCall) => {
    calls.receiveCall('r', given)
    await new Promise((resolve) => setTimeout(resolve))
  }
  return { calls, host, take, told, times: () => times }
}

it('executes a call once, however often it arrives', async () => {
  const page = pageOf(() => ({ taken: true }))

  await Promise.all([page.take(), page.take()])
  await page.take()

  expect([page.times(), page.told]).toEqual([1, [{ call: 'c', output: 1 }]])
})

it('answers again, and does it no second time, where its answer was not taken', async () => {
  const page = pageOf((times) => ({ taken: times > 1 }))

  for (let i = 0; i < 3; i++) await page.take()

  expect([page.times(), page.told]).toEqual([1, [1, 1].map((output) => ({ call: 'c', output }))])
})

it('knows nothing more of what was answered once there is another stream, or was aborted', async () => {
  const page = pageOf(() => ({ taken: true }))
  const aborted: ClientCall = { ...toolCall, call: 'other' }
  await page.take()
  page.calls.receiveCall('r', aborted)
  await page.take({ type: 'abort', call: 'other', error: { code: 'stopped', message: 'Over.', retryable: false } })

  page.calls.followStream('r', { type: 'connecting' })
  await Promise.all([page.take(), page.take(aborted)])

  // What is aborted before the server lets it run does not run.
  expect(page.times()).toBe(3)
})

it('forgets an answer that no server has wanted for 15 minutes of streams', async () => {
  const page = pageOf(() => ({ taken: false }))
  const minutes = async (count: number) => {
    await page.host.advance(count * 60_000)
    page.calls.followStream('other', { type: 'connected' })
  }
  await page.take()
  await minutes(60)
  await minutes(14)
  await page.take()
  await minutes(5)
  await minutes(14)
  await page.take()
  expect([page.times(), page.told.length]).toEqual([1, 3])

  await minutes(1)
  await minutes(15)
  await page.take()

  expect([page.times(), page.told.length]).toEqual([2, 4])
})

it('aborts what it runs after a while without a stream, and says that it was interrupted if the server asks again', async () => {
  const host = manualHost()
  const told: unknown[] = []
  const aborted: unknown[] = []
  const mark = (_: never, { abortSignal }: PageContext) =>
    new Promise<never>((_resolve, reject) => {
      abortSignal.addEventListener('abort', () => {
        aborted.push(abortSignal.reason)
        reject(abortSignal.reason)
      })
    })
  const call = async (_: string, { body }: { body?: unknown }) => ({ taken: isTake(body) || told.push(body) > 1 })
  const calls = new ClientCalls({ tools: { mark }, server: { call }, host, client: 'me' })
  const waiting = { type: 'waiting', until: 0 } as const
  calls.receiveCall('r', toolCall)
  await new Promise((resolve) => setTimeout(resolve))

  calls.followStream('r', waiting)
  await host.advance(14_000)
  calls.followStream('r', { type: 'connected' })
  await host.advance(14_000)
  calls.followStream('r', waiting)
  calls.followStream('r', { type: 'connecting' })
  await host.advance(14_000)
  const before = [...aborted]
  calls.followStream('r', waiting)
  await host.advance(1_000)
  await expect.poll(() => told).toHaveLength(1)
  await new Promise((resolve) => setTimeout(resolve))
  calls.receiveCall('r', toolCall)
  await expect.poll(() => told).toHaveLength(2)

  expect(before).toEqual([])
  expect(aborted).toMatchObject([{ code: 'tool_interrupted' }])
  expect(told[1]).toMatchObject({ call: 'c', error: { code: 'tool_interrupted' } })
})

it('says why, where the server refuses what came of it', async () => {
  const page = pageOf((times) => {
    if (times === 1) throw new AgentError('too_large', 'Send less at once.')
    return { taken: true }
  })

  await page.take()

  expect(page.told).toMatchObject([{ output: 1 }, { call: 'c', error: { code: 'too_large' } }])
})

it('does not run what the server has given up', async () => {
  const host = manualHost()
  let times = 0
  const server = { call: async () => ({ taken: false }) }
  const calls = new ClientCalls({ tools: { mark: () => ++times }, server, host, client: 'me' })

  calls.receiveCall('r', toolCall)
  await new Promise((resolve) => setTimeout(resolve))

  expect(times).toBe(0)
})

it('shows every few seconds that it runs a call, and aborts one that the server has given up meanwhile', async () => {
  const host = manualHost()
  const takes: boolean[] = []
  const signals: AbortSignal[] = []
  const mark = (_: never, { abortSignal }: PageContext) => new Promise<never>(() => signals.push(abortSignal))
  const server = { call: async () => ({ taken: takes.push(true) < 3 }) }
  const calls = new ClientCalls({ tools: { mark }, server, host, client: 'me' })
  const receive = async (ms: number) => {
    await host.advance(ms)
    calls.confirmCalls('r')
    await new Promise((resolve) => setTimeout(resolve))
    return [takes.length, signals[0]?.aborted]
  }
  calls.receiveCall('r', toolCall)

  const received = [await receive(1_000), await receive(4_000), await receive(1_000), await receive(4_000)]

  expect(received).toEqual([
    [1, false],
    [2, false],
    [2, false],
    [3, true],
  ])
  expect(signals[0]?.reason).toMatchObject({ code: 'tool_interrupted' })
})
