import { type ReactNode, type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { type RowListProps, useRowKeys } from './useRowKeys.ts'

/** Shows a list of any length, of which only visible rows are in the page. It is one Tab stop with arrow keys. */
export function RowList<Row>(props: RowListProps<Row>): ReactNode {
  const { label, rows, rowHeight, keyOf, selected, draw, role = 'listbox', head, headHeight = 0 } = props
  const own = useRef<HTMLDivElement>(null)
  const scroller = props.scroller ?? own
  const { from, to } = useVisible(scroller, { count: rows.length, rowHeight, headHeight })
  const { active, choose, press } = useRowKeys(props, scroller)
  // The focused row stays in the page wherever it is.
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
      {head}
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
  const look = useCallback(() => {
    const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {}
    // In steps of several rows, so that not every pixel renders.
    const step = rowHeight * (spareRows / 2)
    const next = { top: Math.floor(scrollTop / step) * step, height: clientHeight || defaultHeight }
    setView((before) => (before.top === next.top && before.height === next.height ? before : next))
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
  const first = Math.floor((view.top - headHeight) / rowHeight) - spareRows
  const last = Math.ceil((view.top + view.height) / rowHeight) + spareRows * 1.5
  return { from: Math.max(0, Math.min(first, count - 1)), to: Math.min(count, last) }
}
