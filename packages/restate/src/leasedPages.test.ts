import { pageLeases } from '@interleave/connect/internal'
import type { Run } from '@interleave/core'
import { expect, it } from 'vitest'
import type { Heartbeat } from './inboxObject.ts'
import { LeasedPages } from './leasedPages.ts'

const lease = { id: '1', call: 'r/1/tool/0', tool: 'mark' }
const toolCall = {
  type: 'tool' as const,
  ...{ name: 'mark', input: {}, toolCallId: 'c', runId: 'r', idempotencyKey: lease.call },
}
const later = () => new Promise((resolve) => setTimeout(resolve, 5))

/**
 * Creates a run that executes here, and its leased pages. Waits are over at once; the test ends those for
 * heartbeats.
 */
function work() {
  const watches: (() => void)[] = []
  const heartbeats: Heartbeat[] = []
  const listeners = new Set<() => void>()
  const state: { signal?: { readonly type: string } } = {}
  const run = {
    state,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  } as unknown as Run
  const leasedPages = new LeasedPages({
    ...{ runId: 'r', withinMs: 1_000 },
    inbox: { take: async () => ({ open: [], heartbeats }) },
    host: {
      timer(ms, callback) {
        if (ms < 1_000) setTimeout(callback)
        else watches.push(callback)
        return () => {}
      },
    },
  })
  return {
    ...{ run, leasedPages, heartbeats },
    rest(type: string) {
      state.signal = { type }
      for (const listener of listeners) listener()
    },
    async elapse() {
      for (const tick of watches.splice(0)) tick()
      await later()
    },
    /** The call waits for a page, and begins when it has one. */
    async begin() {
      await pageLeases.nextLease(lease, new AbortController().signal)
      const received: string[] = []
      const answer = pageLeases.useLease(lease.call)?.callTool(toolCall, new AbortController().signal)
      answer?.then((given) => received.push(given?.type ?? 'lost'))
      return { received: received }
    },
  }
}

it('gives who leases a page what is to be done when the call begins, and receives what came of it', async () => {
  const { run, leasedPages, begin } = work()
  const [told, { received }] = await Promise.all([leasedPages.acceptPage(run, lease), begin()])

  leasedPages.receiveResult({ lease: '1', answer: { type: 'output', call: told?.call ?? '', value: 1 } })
  leasedPages.close()
  await later()

  expect(told).toMatchObject(toolCall)
  expect(received).toEqual(['output'])
})

it('takes no second page for a call, and none that it does not wait for', async () => {
  const { run, leasedPages, begin } = work()
  const first = leasedPages.acceptPage(run, lease)
  await begin()

  expect(await leasedPages.acceptPage(run, { ...lease, id: '2' })).toBeUndefined()
  expect(await first).toBeDefined()
  leasedPages.close()
})

it('wants none any more when the run is stopped before the call begins', async () => {
  const { run, leasedPages, rest } = work()
  void pageLeases.nextLease(lease, new AbortController().signal)
  const leasing = leasedPages.acceptPage(run, lease)
  await later()

  rest('stopped')

  expect(await leasing).toBeUndefined()
  leasedPages.close()
})

it('does not know what came of it when the page is gone, as it says or since no one gives a sign of life', async () => {
  const { run, leasedPages, begin, heartbeats, elapse } = work()
  const [, told] = await Promise.all([leasedPages.acceptPage(run, lease), begin()])
  leasedPages.receiveResult({ lease: '1' })
  const [, silent] = await Promise.all([leasedPages.acceptPage(run, { ...lease, id: '2' }), begin()])
  for (const times of [1, 2, 2, 2]) {
    heartbeats.splice(0, 1, { lease: '2', times })
    await elapse()
  }
  const before = [...silent.received]

  await elapse()
  leasedPages.close()

  expect([told.received, before, silent.received]).toEqual([['lost'], [], ['lost']])
})

it('receives nothing of an attempt before', async () => {
  const { run, leasedPages, begin } = work()
  const [, { received }] = await Promise.all([leasedPages.acceptPage(run, lease), begin()])

  leasedPages.receiveResult({ lease: '0', answer: { type: 'output', call: 'e', value: 1 } })
  leasedPages.receiveResult({ lease: '1', answer: { type: 'output', call: 'other', value: 1 } })
  leasedPages.close()
  await later()

  expect(received).toEqual([])
})
