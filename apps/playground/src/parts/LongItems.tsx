import { Fragment, memo, type ReactNode, startTransition, useEffect, useRef, useState } from 'react'
import { count } from './wording.ts'
import './longItems.css'

export interface LongItemsProps<Item> {
  readonly items: readonly Item[]
  keyOf(item: Item): string
  /** Renders an item as an `<li>`. Pass the same function each time: a new one renders every item again. */
  draw(item: Item): ReactNode
  /** Returns true if two items look the same; by default, if they are the same object. */
  isSame?(a: Item, b: Item): boolean
  /** The plural of an item, such as `messages`. */
  readonly noun: string
}

/**
 * The items of a list that is read from its end, such as a conversation, inside an `<ol className="long-list">`. The latest are
 * rendered at once and the others while the page is idle, some at a time, so that no task is long. All of them are in the page
 * then, for find-in-page, screen readers and the Tab key; the browser skips the layout of those out of sight.
 */
export function LongItems<Item>({ items, keyOf, draw, isSame = Object.is, noun }: LongItemsProps<Item>) {
  const { start, isWhole, more } = useStart(items.length)
  const starts = Array.from({ length: Math.ceil((items.length - start) / size) }, (_, index) => start + index * size)
  return (
    <>
      {start > 0 && isWhole && <Earlier key={start} hidden={start} noun={noun} onMore={more} />}
      {starts.map((at) => (
        <Items key={at} items={items.slice(at, at + size)} {...{ keyOf, draw, isSame }} />
      ))}
    </>
  )
}

type ItemsProps<Item> = Required<Omit<LongItemsProps<Item>, 'noun'>>

/** Some items, rendered again only if one of them looks different. */
const Items = memo(function Items({ items, keyOf, draw }: ItemsProps<unknown>) {
  return items.map((item) => <Fragment key={keyOf(item)}>{draw(item)}</Fragment>)
}, areSame)

function areSame(before: ItemsProps<unknown>, { items, keyOf, draw, isSame }: ItemsProps<unknown>): boolean {
  const isSameAs = (item: unknown, index: number): boolean => {
    const old = before.items[index]
    return keyOf(item) === keyOf(old) && isSame(old, item)
  }
  return before.draw === draw && before.items.length === items.length && items.every(isSameAs)
}

/** Items that are rendered together. */
const size = 24
/** Items that are rendered at once: more than a screen has. */
const first = 2 * size
/** Items that are rendered without a click. */
const usual = 1_200

const aligned = (index: number): number => Math.max(0, Math.floor(index / size) * size)

interface Rendered {
  /** The index of the first item that is rendered. */
  readonly start: number
  /** The number of items when they were last rendered. */
  readonly end: number
  /** The most items that are rendered. */
  readonly most: number
}

/** Controls from which item on a list is rendered: from near its end at first, then from ever earlier ones. */
function useStart(count: number) {
  const [before, setBefore] = useState<Rendered>(() => begin(count, usual))
  const rendered = follow(before, count)
  if (rendered !== before) setBefore(rendered)
  const { start, most } = rendered
  const isWhole = start <= aligned(count - most)
  useEffect(() => {
    if (isWhole) return
    const grow = (now: Rendered): Rendered => ({ ...now, start: Math.max(0, Math.min(now.start, start) - size) })
    return whenIdle(() => startTransition(() => setBefore(grow)))
  }, [isWhole, start])
  return { start, isWhole, more: () => setBefore((now) => ({ ...now, most: now.most + usual })) }
}

const begin = (count: number, most: number): Rendered => ({ start: aligned(count - first), end: count, most })

function follow(before: Rendered, count: number): Rendered {
  const { start, end, most } = before
  if (end === count) return before
  // Many at once would be a long task, and a list that grows for hours would fill the page.
  if (count - end > first || count - start > 2 * most) return begin(count, most)
  return { start: Math.min(start, aligned(count - first)), end: count, most }
}

/** Calls back when the page has time. Returns a function that prevents it. */
function whenIdle(callback: () => void): () => void {
  if (typeof requestIdleCallback === 'function') {
    const id = requestIdleCallback(callback, { timeout: 500 })
    return () => cancelIdleCallback(id)
  }
  const timer = setTimeout(callback, 16)
  return () => clearTimeout(timer)
}

interface EarlierProps {
  /** The number of omitted items. */
  readonly hidden: number
  /** The plural of an item, such as `messages`. */
  readonly noun: string
  readonly onMore: () => void
}

/** Stands for the earlier items of a long list. More of them are rendered when this comes into view, or by the button. */
function Earlier({ hidden, noun, onMore }: EarlierProps) {
  const item = useRef<HTMLLIElement>(null)

  useEffect(() => {
    const element = item.current
    if (!element || typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore())
    observer.observe(element)
    return () => observer.disconnect()
  }, [onMore])

  return (
    <li ref={item} className="earlier">
      <button type="button" className="button" onClick={onMore}>
        Show earlier {noun} ({count(hidden)})
      </button>
    </li>
  )
}
