import { expect, it } from 'vitest'
import { Page } from './page.ts'
import { PageLeaseRegistry } from './pageLeases.ts'

const page = () => new Page({ tools: ['mark'], models: [], post() {}, shows: () => true })
const wanted = { call: 'a/1/tool/0', tool: 'mark' }
const withinMs = 10
const { signal } = new AbortController()

it('leases a page to the call that waits for it, once', async () => {
  const lent = new PageLeaseRegistry()
  const borrower = lent.openLeases('a', withinMs)
  const [first, second] = [page(), page()]
  const coming = lent.nextLease(wanted, signal)

  const taken = [borrower.leasePage(wanted, first), borrower.leasePage(wanted, second)]
  await coming

  expect(taken).toEqual([true, false])
  expect([lent.useLease(wanted.call), lent.useLease(wanted.call)]).toEqual([first, undefined])
})

it('leases none to another call, for another tool, or to a wait that was given up', () => {
  const lent = new PageLeaseRegistry()
  const borrower = lent.openLeases('a', withinMs)
  const over = new AbortController()
  void lent.nextLease(wanted, over.signal)

  const wrong = [
    { ...wanted, tool: 'other' },
    { ...wanted, call: 'a/1/tool/1' },
  ].map((it) => borrower.leasePage(it, page()))
  over.abort()

  expect([...wrong, borrower.leasePage(wanted, page())]).toEqual([false, false, false])
})

it('leases pages for child runs, which are unknown before they ask', async () => {
  const lent = new PageLeaseRegistry()
  const below = { ...wanted, call: 'a/1/tool/0/2/tool/1' }
  const borrower = lent.openLeases('a', withinMs)
  const coming = lent.nextLease(below, signal)

  expect(borrower.leasePage(below, page())).toBe(true)
  await coming
  expect([lent.withinMs('a'), lent.withinMs('a/1/tool/0')]).toEqual([10, undefined])
})

it('belongs to who opened it last, and forgets what was leased when that one closes', () => {
  const lent = new PageLeaseRegistry()
  const first = lent.openLeases('a', withinMs)
  const second = lent.openLeases('a', withinMs)
  void lent.nextLease(wanted, signal)

  expect(first.leasePage(wanted, page())).toBe(false)
  first.closeLeases()
  expect(second.leasePage(wanted, page())).toBe(true)
  second.closeLeases()
  expect([lent.useLease(wanted.call), lent.withinMs('a')]).toEqual([undefined, undefined])
})
