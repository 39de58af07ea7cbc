import { useDrawEffect } from '@interleave/react/internal'
import { type KeyboardEvent, type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'

interface RowListProps<Row> {
  readonly label: string
  readonly rows: readonly Row[]
  /** In pixels. */
  readonly rowHeight: number
  readonly keyOf: (row: Row) => string
  readonly selected?: string | undefined
  readonly onSelect: (row: Row) => void
  /** Renders a row. Its text is its accessible name. */
  readonly draw: (row: Row) => { readonly content: ReactNode; readonly attributes?: RowAttributes }
  /** The role of the list. A tree has rows of several levels. */
  readonly role?: 'listbox' | 'tree'
  /** Content above the rows that scrolls sideways with them, and its height in pixels. */
  readonly head?: { readonly content: ReactNode; readonly height: number }
  /** True if it stays at the end while rows are added. */
  readonly followsEnd?: boolean
  readonly scroller?: RefObject<HTMLDivElement | null>
  /** Handles a key before the list does. Returns true if it did, or the index of the row to go to. */
  readonly onKey?: (event: KeyboardEvent<HTMLElement>, row: Row, index: number) => boolean | number
}
type RowAttributes = Readonly<Record<`data-${string}` | `aria-${string}`, string | number | boolean | undefined>>

/** Shows a list of any length, of which only visible rows are in the page. It is one Tab stop with arrow keys. */
export function RowList<Row>(props: RowListProps<Row>): ReactNode {
  const { label, rows, rowHeight, keyOf, selected, draw, role = 'listbox', head } = props
  const own = useRef<HTMLDivElement>(null)
  const scroller = props.scroller ?? own
  const { from, to } = useVisible(scroller, { count: rows.length, rowHeight, headHeight: head?.height ?? 0 })
  const { active, choose, press } = useRowKeys(props, scroller)
  // The focused row stays in the page even if it is not visible.
  const shown = new Set([...rows.keys()].slice(from, to)).add(active)

  const renderRow = (index: number): ReactNode => {
    const row = rows[index]
    if (row === undefined) return null
    const { content, attributes } = draw(row)
    const position = { 'aria-posinset': index + 1, 'aria-setsize': rows.length, 'data-index': index }
    const option = { role: role === 'tree' ? 'treeitem' : 'option', 'aria-selected': keyOf(row) === selected }
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: its role is one of the attributes.
      <div
        key={keyOf(row)}
        tabIndex={index === active ? 0 : -1}
        style={{ top: index * rowHeight, height: rowHeight }}
        onClick={() => choose(index)}
        onKeyDown={press}
        {...position}
        {...option}
        {...attributes}
      >
        {content}
      </div>
    )
  }
  return (
    <div data-part="scroller" ref={scroller}>
      {head?.content}
      <div data-part="rows" style={{ height: rows.length * rowHeight }} {...{ role, 'aria-label': label }}>
        {[...shown].sort((a, b) => a - b).map(renderRow)}
      </div>
    </div>
  )
}

/** The visible part of a list with rows of equal height: the first row, and the one after the last. */
interface Visible {
  readonly from: number
  readonly to: number
}
interface ListSize {
  readonly count: number
  /** In pixels, as is the height of the head above the rows. */
  readonly rowHeight: number
  readonly headHeight: number
}

const spareRows = 8
/** The height without a layout, as on a server. */
const defaultHeight = 600

/** Returns the rows of a long list to render, as it scrolls and is resized: the visible ones, and a few more. */
function useVisible(scroller: RefObject<HTMLElement | null>, { count, rowHeight, headHeight }: ListSize): Visible {
  const [view, setView] = useState({ top: 0, height: defaultHeight })
  const measure = useCallback(() => {
    const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {}
    // In steps of several rows, so that not every scrolled pixel causes a render.
    const step = rowHeight * (spareRows / 2)
    const next = { top: Math.floor(scrollTop / step) * step, height: clientHeight || defaultHeight }
    setView((before) => (before.top === next.top && before.height === next.height ? before : next))
  }, [scroller, rowHeight])
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    measure()
    element.addEventListener('scroll', measure, { passive: true })
    const sizes = typeof ResizeObserver === 'function' ? new ResizeObserver(measure) : undefined
    sizes?.observe(element)
    return () => {
      element.removeEventListener('scroll', measure)
      sizes?.disconnect()
    }
  }, [scroller, measure])
  const first = Math.floor((view.top - headHeight) / rowHeight) - spareRows
  const last = Math.ceil((view.top + view.height) / rowHeight) + spareRows * 1.5
  return { from: Math.max(0, Math.min(first, count - 1)), to: Math.min(count, last) }
}

interface RowKeys {
  /** The index of the row that the Tab key goes to. */
  readonly active: number
  readonly choose: (index: number) => void
  readonly press: (event: KeyboardEvent<HTMLElement>) => void
}

/** Controls which row has the focus, and what keys and clicks select. */
function useRowKeys<Row>(props: RowListProps<Row>, scroller: RefObject<HTMLElement | null>): RowKeys {
  const { rows, keyOf, selected, onSelect, role, onKey } = props
  const [focused, setFocused] = useState<string>()
  const key = focused ?? selected
  const active = Math.max(0, key === undefined ? -1 : rows.findIndex((row) => keyOf(row) === key))
  const wantsFocus = useRef(false)
  const show = useReveal(props, scroller)
  useFollow(scroller, { length: rows.length, isOn: props.followsEnd === true })
  useDrawEffect(() => {
    if (!wantsFocus.current) return
    wantsFocus.current = false
    scroller.current?.querySelector<HTMLElement>(`[data-index="${active}"]`)?.focus({ preventScroll: true })
  })

  const goTo = (index: number, selects: boolean): void => {
    const row = rows[index]
    if (row === undefined) return
    setFocused(keyOf(row))
    wantsFocus.current = true
    show(index)
    if (selects) onSelect(row)
  }
  const choose = (index: number): void => goTo(index, true)
  return {
    active,
    choose,
    press(event) {
      const row = rows[active]
      if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return
      const done = onKey?.(event, row, active) ?? false
      const next = done === false ? rowAfter(event.key, { active, last: rows.length - 1 }) : done
      if (typeof next === 'number') goTo(next, selected !== undefined && role !== 'tree')
      else if (next !== true && (event.key === 'Enter' || event.key === ' ')) choose(active)
      else if (next !== true) return
      event.preventDefault()
    },
  }
}

const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }

function rowAfter(
  key: string,
  { active, last }: { readonly active: number; readonly last: number },
): number | undefined {
  if (key === 'Home') return 0
  if (key === 'End') return last
  const step = steps[key]
  return step && Math.max(0, Math.min(last, active + step))
}

/** Returns a function that scrolls to a row. Also scrolls to a row that is selected from outside. */
function useReveal<Row>(
  { rows, rowHeight, keyOf, selected, head }: RowListProps<Row>,
  scroller: RefObject<HTMLElement | null>,
): (index: number) => void {
  const show = (index: number): void => {
    const element = scroller.current
    if (!element) return
    const [top, bottom] = [index * rowHeight, (index + 1) * rowHeight + (head?.height ?? 0)]
    if (top < element.scrollTop) element.scrollTop = top
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight
  }
  const shown = useRef<string>(undefined)
  useEffect(() => {
    if (shown.current === selected) return
    const index = rows.findIndex((row) => keyOf(row) === selected)
    // A link may name an event that is not loaded yet.
    if (index < 0 && selected !== undefined) return
    shown.current = selected
    if (index >= 0) show(index)
  })
  return show
}

/** Keeps a list at its end while rows are added, if it is there. */
function useFollow(
  scroller: RefObject<HTMLElement | null>,
  { length, isOn }: { readonly length: number; readonly isOn: boolean },
): void {
  const wasAtEnd = useRef(true)
  useEffect(() => {
    const element = scroller.current
    if (!element || !isOn) return
    const update = (): void => {
      wasAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 40
    }
    element.addEventListener('scroll', update, { passive: true })
    return () => element.removeEventListener('scroll', update)
  }, [scroller, isOn])
  useEffect(() => {
    const element = scroller.current
    if (element && isOn && wasAtEnd.current && length > 0) element.scrollTop = element.scrollHeight
  }, [scroller, isOn, length])
}
