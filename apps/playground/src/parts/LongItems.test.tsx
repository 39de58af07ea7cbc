import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { LongItems } from './LongItems.tsx'

afterEach(cleanup)

interface Item {
  readonly id: number
  readonly text: string
}
const itemsTo = (count: number): readonly Item[] =>
  Array.from({ length: count }, (_, id) => ({ id, text: `Item ${id}` }))

/** All are rendered sooner or later, also on a busy machine. */
const patiently = { timeout: 20_000 }

/** A list that counts what it renders. */
function openList(items: readonly Item[]) {
  const drawn: number[] = []
  const draw = ({ id, text }: Item) => {
    drawn.push(id)
    return <li>{text}</li>
  }
  const list = (shown: readonly Item[]) => (
    <ol>
      <LongItems
        items={shown}
        keyOf={({ id }) => String(id)}
        draw={draw}
        isSame={(a, b) => a.text === b.text}
        noun="items"
      />
    </ol>
  )
  const { rerender } = render(list(items))
  return {
    /** Gives the list other items, and returns which of them were rendered at once. */
    show(shown: readonly Item[]): readonly number[] {
      drawn.length = 0
      act(() => rerender(list(shown)))
      return [...drawn]
    },
    drawn,
    texts: () => [...document.querySelectorAll('li')].map(({ textContent }) => textContent),
  }
}

it('renders the latest items at once, and each other one once, in their order', async () => {
  const { drawn, texts } = openList(itemsTo(300))
  const atOnce = texts()

  await expect.poll(() => texts().length, patiently).toBe(300)

  expect(atOnce.length).toBeLessThan(80)
  expect(atOnce.at(-1)).toBe('Item 299')
  expect(texts()).toEqual(itemsTo(300).map(({ text }) => text))
  expect(drawn).toHaveLength(300)
})

it('renders only items again that stand with one that is new or looks different', async () => {
  const { show, texts } = openList(itemsTo(300))
  await expect.poll(() => texts().length, patiently).toBe(300)

  expect(show(itemsTo(300))).toEqual([])
  expect(show(itemsTo(299))).not.toContain(200)
  expect(show(itemsTo(301)).length).toBeLessThan(30)
  expect(texts().at(-1)).toBe('Item 300')
})

it('renders only the latest at once when there are suddenly many', async () => {
  const { show, texts } = openList(itemsTo(300))
  await expect.poll(() => texts().length, patiently).toBe(300)
  show(itemsTo(4))
  const few = texts()

  const atOnce = show(itemsTo(300)).length
  await expect.poll(() => texts().length, patiently).toBe(300)

  expect(few).toHaveLength(4)
  expect(atOnce).toBeLessThan(80)
})

it('leaves the earliest of very many to a button', async () => {
  const { texts } = openList(itemsTo(1_400))

  fireEvent.click(await screen.findByText('Show earlier items (192)', {}, patiently))

  await expect.poll(() => texts().length, patiently).toBe(1_400)
  expect(document.querySelector('button')).toBeNull()
})
