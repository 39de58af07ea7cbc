import { useDrawEffect } from '@interleave/react/internal'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'

export interface RowListProps<Row> {
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
  readonly head?: ReactNode
  readonly headHeight?: number
  /** True if it stays at the end while rows are added. */
  readonly followsEnd?: boolean
  readonly scroller?: RefObject<HTMLDivElement | null>
  /** Handles a key itself. Returns true if it did, or the index of the row to go to. */
  readonly onKey?: (event: KeyboardEvent<HTMLElement>, row: Row, index: number) => boolean | number
}
type RowAttributes = Readonly<Record<`data-${string}` | `aria-${string}`, string | number | boolean | undefined>>

export interface RowKeys {
  /** The index of the row that the Tab key goes to. */
  readonly active: number
  readonly choose: (index: number) => void
  readonly press: (event: KeyboardEvent<HTMLElement>) => void
}

/** Controls which row has the focus, and what keys and clicks select. */
export function useRowKeys<Row>(props: RowListProps<Row>, scroller: RefObject<HTMLElement | null>): RowKeys {
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
  { rows, rowHeight, keyOf, selected, headHeight = 0 }: RowListProps<Row>,
  scroller: RefObject<HTMLElement | null>,
): (index: number) => void {
  const show = (index: number): void => {
    const element = scroller.current
    if (!element) return
    const [top, bottom] = [index * rowHeight, (index + 1) * rowHeight + headHeight]
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
    const look = (): void => {
      wasAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 40
    }
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [scroller, isOn])
  useEffect(() => {
    const element = scroller.current
    if (element && isOn && wasAtEnd.current && length > 0) element.scrollTop = element.scrollHeight
  }, [scroller, isOn, length])
}
