import { useDrawEffect } from '@interleave/react/internal'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'

export interface RowListProps<Row> {
  readonly label: string
  readonly rows: readonly Row[]
  /** In pixels. */
  readonly rowHeight: number
  keyOf(row: Row): string
  readonly selected?: string | undefined
  onSelect(row: Row): void
  /** Renders a row. */
  draw(row: Row): Drawn
  readonly more?: RowListMore<Row>
}

interface RowListMore<Row> {
  /** A tree has rows of several levels. */
  readonly role?: 'listbox' | 'tree'
  /** Stands above the rows and scrolls sideways with them. */
  readonly head?: ReactNode
  /** In pixels. */
  readonly headHeight?: number
  /** Stays at the end while rows come, if it is there. */
  readonly followsEnd?: boolean
  readonly scroller?: RefObject<HTMLDivElement | null>
  /** Does something else with a key. Gives whether it did, or the row to go to. */
  onKey?(event: KeyboardEvent<HTMLElement>, row: Row, index: number): boolean | number
}

interface Drawn {
  /** Its words are the name of the row. */
  readonly content: ReactNode
  readonly attributes?: Attributes
}
type Attributes = Readonly<Record<`data-${string}` | `aria-${string}`, string | number | boolean | undefined>>

interface Walk {
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

/** Keeps what scrolls at its end while rows come, if it is there. */
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
