import { expect, it } from 'vitest'
import { createLentPages } from './lentPages.ts'
import { createPage } from './page.ts'

const page = () => createPage({ tools: ['mark'], models: [], post() {}, shows: () => true })
const wanted = { call: 'a/1/tool/0', tool: 'mark' }
const open = { withinMs: 10 }
const { signal } = new AbortController()

it('lends a page to the call that waits for it, once', async () => {
  const lent = createLentPages()
  const borrower = lent.open('a', open)
  const [first, second] = [page(), page()]
  const coming = lent.coming(wanted, signal)

  const taken = [borrower.lend(wanted, first), borrower.lend(wanted, second)]
  await coming

  expect(taken).toEqual([true, false])
  expect([lent.take(wanted.call), lent.take(wanted.call)]).toEqual([first, undefined])
})

it('lends none to another call, for another tool, or to a wait that was given up', () => {
  const lent = createLentPages()
  const borrower = lent.open('a', open)
  const over = new AbortController()
  void lent.coming(wanted, over.signal)

  const wrong = [
    { ...wanted, tool: 'other' },
    { ...wanted, call: 'a/1/tool/1' },
  ].map((it) => borrower.lend(it, page()))
  over.abort()

  expect([...wrong, borrower.lend(wanted, page())]).toEqual([false, false, false])
})

it('takes pages for runs below, of which nobody hears before they ask', async () => {
  const lent = createLentPages()
  const below = { ...wanted, call: 'a/1/tool/0/2/tool/1' }
  const borrower = lent.open('a', open)
  const coming = lent.coming(below, signal)

  expect(borrower.lend(below, page())).toBe(true)
  await coming
  expect([lent.withinMs('a'), lent.withinMs('a/1/tool/0')]).toEqual([10, undefined])
})

it('belongs to who opened it last, and forgets what was lent when that one closes', () => {
  const lent = createLentPages()
  const first = lent.open('a', open)
  const second = lent.open('a', open)
  void lent.coming(wanted, signal)

  expect(first.lend(wanted, page())).toBe(false)
  first.close()
  expect(second.lend(wanted, page())).toBe(true)
  second.close()
  expect([lent.take(wanted.call), lent.withinMs('a')]).toEqual([undefined, undefined])
})
