import { pageLeases } from '@interleave/connect/internal'
import type { Run } from '@interleave/core'
import { expect, it } from 'vitest'
import type { Beat } from './inboxObject.ts'
import { PageBorrower } from './pageBorrower.ts'

const lent = { id: '1', call: 'r/1/tool/0', tool: 'mark' }
const toolCall = {
  type: 'tool' as const,
  ...{ name: 'mark', input: {}, toolCallId: 'c', runId: 'r', idempotencyKey: lent.call },
}
const later = () => new Promise((resolve) => setTimeout(resolve, 5))

/**
 * Creates a run that executes here, and the borrower of its pages. Waits are over at once; the test ends those for
 * heartbeats.
 */
function work() {
  const watches: (() => void)[] = []
  const beats: Beat[] = []
  const listeners = new Set<() => void>()
  const state: { rest?: { readonly type: string } } = {}
  const run = {
    state,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  } as unknown as Run
  const borrower = new PageBorrower({
    ...{ runId: 'r', withinMs: 1_000 },
    inbox: { take: async () => ({ open: [], beats }) },
    host: {
      timer(ms, callback) {
        if (ms < 1_000) setTimeout(callback)
        else watches.push(callback)
        return () => {}
      },
    },
  })
  return {
    ...{ run, borrower, beats },
    rest(type: string) {
      state.rest = { type }
      for (const listener of listeners) listener()
    },
    async elapse() {
      for (const tick of watches.splice(0)) tick()
      await later()
    },
    /** The call waits for a page, and begins when it has one. */
    async begin() {
      await pageLeases.nextLease(lent, new AbortController().signal)
      const heard: string[] = []
      const answer = pageLeases.useLease(lent.call)?.callTool(toolCall, new AbortController().signal)
      answer?.then((given) => heard.push(given?.type ?? 'lost'))
      return { heard }
    },
  }
}

it('gives who lends a page what is to be done when the call begins, and hears what came of it', async () => {
  const { run, borrower, begin } = work()
  const [told, { heard }] = await Promise.all([borrower.borrowPage(run, lent), begin()])

  borrower.receiveResult({ lent: '1', answer: { type: 'output', call: told?.call ?? '', value: 1 } })
  borrower.close()
  await later()

  expect(told).toMatchObject(toolCall)
  expect(heard).toEqual(['output'])
})

it('takes no second page for a call, and none that it does not wait for', async () => {
  const { run, borrower, begin } = work()
  const first = borrower.borrowPage(run, lent)
  await begin()

  expect(await borrower.borrowPage(run, { ...lent, id: '2' })).toBeUndefined()
  expect(await first).toBeDefined()
  borrower.close()
})

it('wants none any more when the run is stopped before the call begins', async () => {
  const { run, borrower, rest } = work()
  void pageLeases.nextLease(lent, new AbortController().signal)
  const lending = borrower.borrowPage(run, lent)
  await later()

  rest('stopped')

  expect(await lending).toBeUndefined()
  borrower.close()
})

it('does not know what came of it when the page is gone, as it is told or since nobody gives a sign of life', async () => {
  const { run, borrower, begin, beats, elapse } = work()
  const [, told] = await Promise.all([borrower.borrowPage(run, lent), begin()])
  borrower.receiveResult({ lent: '1' })
  const [, silent] = await Promise.all([borrower.borrowPage(run, { ...lent, id: '2' }), begin()])
  for (const times of [1, 2, 2, 2]) {
    beats.splice(0, 1, { lent: '2', times })
    await elapse()
  }
  const before = [...silent.heard]

  await elapse()
  borrower.close()

  expect([told.heard, before, silent.heard]).toEqual([['lost'], [], ['lost']])
})

it('hears nothing of an attempt before', async () => {
  const { run, borrower, begin } = work()
  const [, { heard }] = await Promise.all([borrower.borrowPage(run, lent), begin()])

  borrower.receiveResult({ lent: '0', answer: { type: 'output', call: 'e', value: 1 } })
  borrower.receiveResult({ lent: '1', answer: { type: 'output', call: 'other', value: 1 } })
  borrower.close()
  await later()

  expect(heard).toEqual([])
})
