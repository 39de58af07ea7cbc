import { expect, it } from 'vitest'
import { createPage } from './page.ts'
import { createPageRoll } from './pageRoll.ts'

const page = (...models: string[]) => createPage({ tools: [], models, post() {}, shows: () => false })
const any = () => true

it('finds the page that was heard of last, of those that fit', () => {
  const roll = createPageRoll()
  const [a, b, c] = [page('m'), page('m'), page()]
  for (const each of [a, b, c]) roll.add(each)

  roll.heardOf(a)

  expect(roll.find(any)).toBe(a)
  expect(roll.find(({ models }) => !models.has('m'))).toBe(c)
})

it('does not find one that is gone, whatever is heard of it', () => {
  const roll = createPageRoll()
  const gone = page()
  roll.add(gone)

  roll.remove(gone)
  roll.heardOf(gone)

  expect(roll.find(any)).toBeUndefined()
})

it('gives everybody who waits the page that comes, but for those who gave up', async () => {
  const roll = createPageRoll()
  const [over, heard] = [new AbortController(), [] as string[]]
  void roll.coming(any, over.signal).then(() => heard.push('gave up'))
  const waiting = roll.coming(any, new AbortController().signal)
  over.abort()

  const came = page()
  roll.add(came)

  expect(await waiting).toBe(came)
  expect(heard).toEqual([])
})
