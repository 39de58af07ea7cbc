import { useDrawEffect } from '@interleave/react/internal'
import { type KeyboardEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { RowListProps } from './RowListProps.ts'
import { useFollow } from './useFollow.ts'

export interface Walk {
  /** The row that the Tab key leads to. */
  readonly active: number
  choose(index: number): void
  press(event: KeyboardEvent<HTMLElement>): void
}

/** Which row has the focus, and where keys and clicks lead. */
export function useWalk<Row>(props: RowListProps<Row>, scroller: RefObject<HTMLElement | null>): Walk {
  const { rows, keyOf, selected, onSelect, more = {} } = props
  const [walked, setWalked] = useState<string>()
  const wanted = walked ?? selected
  const active = Math.max(0, wanted === undefined ? -1 : rows.findIndex((row) => keyOf(row) === wanted))
  const isWanted = useWantedFocus(scroller, active)
  const show = useReveal(props, scroller)
  useFollow(scroller, { length: rows.length, isOn: more.followsEnd === true })

  const goTo = (index: number): Row | undefined => {
    const row = rows[index]
    if (row === undefined) return undefined
    setWalked(keyOf(row))
    isWanted.current = true
    show(index)
    return row
  }
  const choose = (index: number): void => {
    const row = goTo(index)
    if (row !== undefined) onSelect(row)
  }
  const walkTo = (index: number): void => {
    const row = goTo(index)
    if (row !== undefined && selected !== undefined && more.role !== 'tree') onSelect(row)
  }
  return {
    active,
    choose,
    press(event) {
      const row = rows[active]
      if (row === undefined || event.altKey || event.ctrlKey || event.metaKey) return
      const done = more.onKey?.(event, row, active) ?? false
      const next = done === false ? wayOf(event.key, { active, last: rows.length - 1 }) : done
      if (typeof next === 'number') walkTo(next)
      else if (next !== true && (event.key === 'Enter' || event.key === ' ')) choose(active)
      else if (next !== true) return
      event.preventDefault()
    },
  }
}

function wayOf(key: string, { active, last }: { readonly active: number; readonly last: number }): number | undefined {
  const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }
  if (key === 'Home') return 0
  if (key === 'End') return last
  const step = steps[key]
  return step === undefined ? undefined : Math.max(0, Math.min(last, active + step))
}

/** Gives the focus to the active row, once it is rendered, if that was asked for. */
function useWantedFocus(scroller: RefObject<HTMLElement | null>, active: number): RefObject<boolean> {
  const isWanted = useRef(false)
  useDrawEffect(() => {
    if (!isWanted.current) return
    isWanted.current = false
    scroller.current?.querySelector<HTMLElement>(`[data-index="${active}"]`)?.focus({ preventScroll: true })
  })
  return isWanted
}

/** Scrolls to a row, and by itself to one that is selected from elsewhere. */
function useReveal<Row>(
  { rows, rowHeight, keyOf, selected, more }: RowListProps<Row>,
  scroller: RefObject<HTMLElement | null>,
): (index: number) => void {
  const show = (index: number): void => {
    const element = scroller.current
    if (!element) return
    const [top, bottom] = [index * rowHeight, (index + 1) * rowHeight + (more?.headHeight ?? 0)]
    if (top < element.scrollTop) element.scrollTop = top
    else if (bottom > element.scrollTop + element.clientHeight) element.scrollTop = bottom - element.clientHeight
  }
  const shown = useRef<string>(undefined)
  useEffect(() => {
    if (shown.current === selected) return
    const index = rows.findIndex((row) => keyOf(row) === selected)
    // A link may name an event that is not read yet.
    if (index < 0 && selected !== undefined) return
    shown.current = selected
    if (index >= 0) show(index)
  })
  return show
}
