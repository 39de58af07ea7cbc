import { expect, it } from 'vitest'
import { Page } from './page.ts'
import { PageLeaseRegistry } from './pageLeases.ts'

const page = () => new Page({ tools: ['mark'], models: [], post() {}, shows: () => true })
const wanted = { call: 'a/1/tool/0', tool: 'mark' }
const withinMs = 10
const { signal } = new AbortController()

it('leases a page to the call that waits for it, once', async () => {
  const leased = new PageLeaseRegistry()
  const borrower = leased.openLeases('a', withinMs)
  const [first, second] = [page(), page()]
  const coming = leased.nextLease(wanted, signal)

  const taken = [borrower.leasePage(wanted, first), borrower.leasePage(wanted, second)]
  await coming

  expect(taken).toEqual([true, false])
  expect([leased.useLease(wanted.call), leased.useLease(wanted.call)]).toEqual([first, undefined])
})

it('leases none to another call, for another tool, or to a wait that was given up', () => {
  const leased = new PageLeaseRegistry()
  const borrower = leased.openLeases('a', withinMs)
  const over = new AbortController()
  void leased.nextLease(wanted, over.signal)

  const wrong = [
    { ...wanted, tool: 'other' },
    { ...wanted, call: 'a/1/tool/1' },
  ].map((it) => borrower.leasePage(it, page()))
  over.abort()

  expect([...wrong, borrower.leasePage(wanted, page())]).toEqual([false, false, false])
})

it('leases pages for child runs, which are unknown before they ask', async () => {
  const leased = new PageLeaseRegistry()
  const below = { ...wanted, call: 'a/1/tool/0/2/tool/1' }
  const borrower = leased.openLeases('a', withinMs)
  const coming = leased.nextLease(below, signal)

  expect(borrower.leasePage(below, page())).toBe(true)
  await coming
  expect([leased.withinMs('a'), leased.withinMs('a/1/tool/0')]).toEqual([10, undefined])
})

it('belongs to who opened it last, and forgets what was leased when that one closes', () => {
  const leased = new PageLeaseRegistry()
  const first = leased.openLeases('a', withinMs)
  const second = leased.openLeases('a', withinMs)
  void leased.nextLease(wanted, signal)

  expect(first.leasePage(wanted, page())).toBe(false)
  first.closeLeases()
  expect(second.leasePage(wanted, page())).toBe(true)
  second.closeLeases()
  expect([leased.useLease(wanted.call), leased.withinMs('a')]).toEqual([undefined, undefined])
})
