import type { Run, RunState } from '@interleave/core'
import { useRun } from '@interleave/react'
import { escapeHidden } from '@interleave/react/internal'
import { type KeyboardEvent, type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { Icon, JsonText } from './parts.tsx'
import { RowList } from './RowList.tsx'
import { type TreeRow, treeRowsOf } from './treeRowsOf.ts'
import { count } from './wording.ts'

/** The state of a run as a tree to open and to search. */
export function StateTree({ run }: { run: Run | undefined }): ReactNode {
  const state = useRun(run, whole)
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const [typed, type] = useState('')
  const [path, choose] = useState<string>()
  const query = useDeferredValue(typed)
  const rows = useMemo(() => treeRowsOf(state, { toggled, query }), [state, toggled, query])
  const chosen = rows.find((row) => row.path === path)
  const toggle = (row: TreeRow): void => {
    if (row.isOpen === undefined) return
    setToggled(
      (before) => new Set(before.has(row.path) ? [...before].filter((one) => one !== row.path) : [...before, row.path]),
    )
  }

  return (
    <div data-interleave="devtools" data-part="panel">
      <div data-part="bar">
        <input
          type="search"
          aria-label="Search the state"
          placeholder="Search the state"
          value={typed}
          onChange={({ target }) => type(target.value)}
        />
        <p data-part="facts" role="status">
          {query.trim() === '' ? '' : `${count(rows.filter(({ isFound }) => isFound).length)} found`}
        </p>
      </div>
      <RowList
        label="State"
        rows={rows}
        rowHeight={26}
        keyOf={pathOf}
        selected={path}
        onSelect={(row) => {
          choose(row.path)
          toggle(row)
        }}
        draw={drawRow}
        more={{ role: 'tree', onKey: (event, row, index) => onKey(event, { row, index, rows, toggle }) }}
      />
      {chosen?.path && (
        <section data-part="chosen" aria-label="The value">
          <code>{chosen.path}</code>
          <JsonText value={chosen.value} label={chosen.path} />
        </section>
      )}
    </div>
  )
}

const whole = (state: RunState): RunState => state
const pathOf = ({ path }: TreeRow): string => path

interface Walk {
  readonly row: TreeRow
  readonly index: number
  readonly rows: readonly TreeRow[]
  toggle(row: TreeRow): void
}

/** As in every tree: right opens and goes in, left closes and goes out. */
function onKey({ key }: KeyboardEvent, { row, index, rows, toggle }: Walk): boolean | number {
  if (key === 'ArrowRight') {
    if (row.isOpen === false) toggle(row)
    return row.isOpen ? index + 1 : true
  }
  if (key !== 'ArrowLeft') return false
  if (row.isOpen) toggle(row)
  const parent = rows.findLastIndex(({ level }, at) => at < index && level < row.level)
  return row.isOpen || parent < 0 ? true : parent
}

function drawRow(row: TreeRow) {
  const { name, value, level, isOpen, isFound, place, places } = row
  const words = valueWords(value)
  return {
    attributes: {
      'aria-level': level,
      'aria-expanded': isOpen,
      'aria-posinset': place,
      'aria-setsize': places,
      'data-found': isFound || undefined,
    },
    content: (
      <span data-part="node" style={{ paddingInlineStart: `${(level - 1) * 0.9}rem` }}>
        {isOpen === undefined ? <span data-part="leaf" /> : <Icon name="open" />}
        <span data-part="key">{name}: </span>
        <span data-type={value === null ? 'null' : typeof value}>{words}</span>
      </span>
    ),
  }
}

function valueWords(value: unknown): string {
  if (Array.isArray(value)) return `[${value.length}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.keys(value).slice(0, 4).join(', ')}${Object.keys(value).length > 4 ? ', …' : ''}}`
  return typeof value === 'string' ? `"${escapeHidden(value.slice(0, 200))}"` : String(value)
}
