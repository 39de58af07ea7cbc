import { type ReactNode, useRef } from 'react'
import type { RowListProps } from './RowListProps.ts'
import { useScrolled } from './useScrolled.ts'
import { useWalk } from './useWalk.ts'

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
