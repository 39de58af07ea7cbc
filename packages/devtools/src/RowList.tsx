import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { type RowListProps, useWalk } from './useWalk.ts'

/**
 * A list of any length: only the rows in view are in the page. It is one stop of the Tab key; arrow keys walk through it, and
 * while a row is selected the selection walks along.
 */
export function RowList<Row>(props: RowListProps<Row>): ReactNode {
  const { label, rows, rowHeight, keyOf, selected, draw, more = {} } = props
  const { role = 'listbox', head, headHeight = 0 } = more
  const own = useRef<HTMLDivElement>(null)
  const scroller = more.scroller ?? own
  const { from, to } = useScrolled(scroller, { count: rows.length, rowHeight, above: headHeight })
  const { active, choose, press } = useWalk(props, scroller)
  // The one with the focus stays in the page wherever it is.
  const shown = [...new Set([...range(from, to), active])].sort((a, b) => a - b)

  const renderRow = (row: Row, index: number): ReactNode => {
    const { content, attributes } = draw(row)
    const isSelected = keyOf(row) === selected
    const place = { 'aria-posinset': index + 1, 'aria-setsize': rows.length, 'data-index': index }
    const option = { role: role === 'tree' ? 'treeitem' : 'option', 'aria-selected': isSelected }
    return (
      // biome-ignore lint/a11y/noStaticElementInteractions: its role is among its attributes.
      <div
        key={keyOf(row)}
        tabIndex={index === active ? 0 : -1}
        style={{ top: index * rowHeight, height: rowHeight }}
        onClick={() => choose(index)}
        onKeyDown={press}
        {...place}
        {...option}
        {...attributes}
      >
        {content}
      </div>
    )
  }

  return (
    <div data-part="scroller" ref={scroller}>
      {head}
      <div data-part="rows" style={{ height: rows.length * rowHeight }} {...{ role, 'aria-label': label }}>
        {shown.flatMap((index) => rows.slice(index, index + 1).map((row) => renderRow(row, index)))}
      </div>
    </div>
  )
}

const range = (from: number, to: number): number[] => Array.from({ length: Math.max(0, to - from) }, (_, i) => from + i)

/** The visible part of a list with rows of equal height. */
interface Seen {
  /** The first row, and the one after the last, a few more than fit. */
  readonly from: number
  readonly to: number
}

interface RowsOptions {
  readonly count: number
  /** In pixels. */
  readonly rowHeight: number
  /** The height above the rows inside the scroll container, in pixels. */
  readonly above?: number
}

const spare = 8
/** Where nothing is laid out, as on a server. */
const usualHeight = 600

/** Which rows of a long list are to be rendered, as it scrolls and changes its size. */
function useScrolled(scroller: RefObject<HTMLElement | null>, options: RowsOptions): Seen {
  const { count, rowHeight, above = 0 } = options
  const [place, setPlace] = useState({ top: 0, height: usualHeight })
  const look = useCallback(() => {
    const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {}
    // By steps of some rows, so that not every pixel renders anew.
    const step = rowHeight * (spare / 2)
    const next = { top: Math.floor(scrollTop / step) * step, height: clientHeight || usualHeight }
    setPlace((before) => (before.top === next.top && before.height === next.height ? before : next))
  }, [scroller, rowHeight])
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    look()
    element.addEventListener('scroll', look, { passive: true })
    const sizes = typeof ResizeObserver === 'function' ? new ResizeObserver(look) : undefined
    sizes?.observe(element)
    return () => {
      element.removeEventListener('scroll', look)
      sizes?.disconnect()
    }
  }, [scroller, look])
  const first = Math.floor((place.top - above) / rowHeight) - spare
  const last = Math.ceil((place.top + place.height) / rowHeight) + spare * 1.5
  return { from: Math.max(0, Math.min(first, count - 1)), to: Math.min(count, last) }
}
