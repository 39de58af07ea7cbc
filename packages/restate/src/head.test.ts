import type { Event } from '@interleave/core'
import { expect, it } from 'vitest'
import { grow, type Head, type LogPage, noHead } from './logObject.ts'

const said = (seq: number, chars: number): Event => ({
  ...{ seq, at: seq, iteration: 0, type: 'said', by: 'user' },
  content: 'x'.repeat(chars),
})

function keep(sizes: readonly (readonly number[])[]): { readonly head: Head; readonly pages: readonly LogPage[] } {
  let head = noHead
  const pages: LogPage[] = []
  for (const batch of sizes) {
    const { length } = head
    const { head: next, page } = grow(
      head,
      batch.map((chars, at) => said(length + at, chars)),
    )
    head = next
    if (page) pages.push(page)
  }
  return { head, pages }
}

it('keeps all events, in pages and after them', () => {
  const { head, pages } = keep(Array.from({ length: 60 }, (_, n) => [n * 37, 5, (n * n) % 3_000]))
  const all = [...pages.flatMap(({ events }) => events), ...head.tail]

  expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: 180 }, (_, seq) => seq))
  expect(pages.map(({ from }) => from)).toEqual(head.pages)
  expect(pages.length).toBeGreaterThan(3)
})

it('stays small', () => {
  const { head } = keep(Array.from({ length: 200 }, () => [1_000]))

  expect(JSON.stringify(head).length).toBeLessThan(20_000)
})

it('keeps who owns it, and who works on it', () => {
  const { head } = grow({ ...noHead, epoch: 7, invocation: 'inv' }, [said(0, 1)])

  expect(head).toMatchObject({ epoch: 7, invocation: 'inv', length: 1 })
})
