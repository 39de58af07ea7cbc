import { AgentError } from '@interleave/core'
import { expect, it } from 'vitest'
import type { ClientCall } from '../toolCalls.ts'
import { ClientCalls } from './clientCalls.ts'

const toolCall: ClientCall = {
  type: 'tool',
  call: 'c',
  name: 'mark',
  input: {},
  ...{ toolCallId: 't', runId: 'r', idempotencyKey: 'k' },
}

/** A page with one function, and what it tells a server that answers so. */
function pageOf(answer: (times: number) => unknown) {
  const told: unknown[] = []
  let times = 0
  const call = async (_: string, { body }: { body?: unknown }) => answer(told.push(body))
  const calls = new ClientCalls({ tools: { mark: () => ++times }, server: { call }, client: 'me' })
  const take = async (given: ClientCall = toolCall) => {
    calls.receiveCall('r', given)
    await new Promise((resolve) => setTimeout(resolve))
  }
  return { calls, take, told, times: () => times }
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

  page.calls.forgetAnswered('r')
  await Promise.all([page.take(), page.take(aborted)])

  expect(page.times()).toBe(4)
})

it('says why, where the server refuses what came of it', async () => {
  const page = pageOf((times) => {
    if (times === 1) throw new AgentError('too_large', 'Send less at once.')
    return { taken: true }
  })

  await page.take()

  expect(page.told).toMatchObject([{ output: 1 }, { call: 'c', error: { code: 'too_large' } }])
})
