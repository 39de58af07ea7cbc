import { manualHost } from '@interleave/testing'
import { expect, it } from 'vitest'
import { Page, PageRegistry } from './page.ts'

const page = (...models: string[]) => new Page({ tools: [], models, post() {}, shows: () => false })
const any = () => true

it('finds the most recently used page that fits', () => {
  const pages = new PageRegistry()
  const [a, b, c] = [page('m'), page('m'), page()]
  for (const each of [a, b, c]) pages.addPage(each)

  pages.markUsed(a)

  expect(pages.findPage(any)).toBe(a)
  expect(pages.findPage(({ models }) => !models.has('m'))).toBe(c)
})

it('prefers a page that was used to one that only joins', () => {
  const pages = new PageRegistry()
  const [used, joins] = [page('m'), page('m')]
  pages.joinPage(used)

  pages.markUsed(used)
  pages.joinPage(joins)

  expect(pages.findModel('m')).toBe(used)
})

it('does not find a page that is gone, whatever arrives from it', () => {
  const pages = new PageRegistry()
  const gone = page()
  pages.addPage(gone)

  pages.removePage(gone)
  pages.markUsed(gone)

  expect(pages.findPage(any)).toBeUndefined()
})

it('gives everybody who waits the page that comes, but for those who gave up', async () => {
  const pages = new PageRegistry()
  const [over, received] = [new AbortController(), [] as string[]]
  void pages.nextPage(any, over.signal).then(() => received.push('gave up'))
  const waiting = pages.nextPage(any, new AbortController().signal)
  over.abort()

  const came = page()
  pages.addPage(came)

  expect(await waiting).toBe(came)
  expect(received).toEqual([])
})

it('counts a page as silent that does not take a call within 15 seconds, and not one that takes it', async () => {
  const host = manualHost()
  let [silent, id] = [0, '']
  const noted = { tools: ['mark'], models: [], shows: () => true, host, onSilent: () => silent++ }
  const asked = new Page({ ...noted, post: (call: { readonly call?: string }) => (id = call.call ?? id) } as never)
  const call = { type: 'tool', run: 'r', tool: 'mark', input: {}, effect: 'atMostOnce', idempotencyKey: 'k' }
  const stop = new AbortController()
  void asked.callTool(call as never, stop.signal).catch(() => {})

  await host.advance(14_999)
  expect(silent).toBe(0)
  await host.advance(1)
  expect(silent).toBe(1)

  void asked.callTool(call as never, stop.signal).catch(() => {})
  expect(asked.takeCall(id)).toBe(true)
  await host.advance(60_000)
  expect(silent).toBe(1)
})
