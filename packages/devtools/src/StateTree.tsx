import type { Run, RunState } from '@interleave/core'
import { fold } from '@interleave/core/internal'
import { useRun } from '@interleave/react'
import { escapeHidden } from '@interleave/react/internal'
import { type KeyboardEvent, type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { CopyButton, Icon, JsonText, SearchField } from './parts.tsx'
import { RowList } from './RowList.tsx'
import { changedPaths, type TreeRow, treeRowsOf } from './treeRowsOf.ts'
import { useRunLog } from './useRunLog.ts'
import { count } from './wording.ts'

/** Shows the state of a run as a tree, to expand and search. */
export function StateTree({ run }: { run: Run | undefined }): ReactNode {
  const state = useRun(run, wholeState)
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set())
  const [text, setText] = useState('')
  const [path, setPath] = useState<string>()
  const query = useDeferredValue(text)
  const rows = useMemo(() => treeRowsOf(state, { toggled, query }), [state, toggled, query])
  const { last, changed } = useChanged(run, rows)
  const chosen = rows.find((row) => row.path === path)
  const toggle = (row: TreeRow): void => {
    if (row.isOpen === undefined) return
    setToggled((before) => {
      const after = new Set(before)
      if (!after.delete(row.path)) after.add(row.path)
      return after
    })
  }

  return (
    <div data-interleave="devtools" data-part="panel">
      <div data-part="bar">
        <SearchField label="Search the state" placeholder="Search the state" value={text} onChange={setText} />
        <p data-part="facts" role="status">
          {query.trim() !== ''
            ? `${count(rows.filter(({ isFound }) => isFound).length)} found`
            : last && `Marked: changed by event ${last.seq}, ${last.type}`}
        </p>
      </div>
      <RowList
        label="State"
        role="tree"
        rows={rows}
        rowHeight={26}
        keyOf={(row) => row.path}
        selected={path}
        onSelect={(row) => {
          setPath(row.path)
          toggle(row)
        }}
        draw={(row) => drawRow(row, changed.has(row.path))}
        onKey={(event, row, index) => onKey(event, { row, index, rows, toggle })}
      />
      {chosen?.path && (
        <section data-part="chosen" aria-label="The value">
          <p data-part="bar">
            <code>{chosen.path}</code>
            <CopyButton label="Copy the path" text={() => chosen.path} />
          </p>
          <JsonText value={chosen.value} label={chosen.path} />
        </section>
      )}
    </div>
  )
}

const wholeState = (state: RunState): RunState => state

interface Position {
  readonly row: TreeRow
  readonly index: number
  readonly rows: readonly TreeRow[]
  readonly toggle: (row: TreeRow) => void
}

/** Handles keys as in every tree: right expands and goes to the first child, left collapses and goes to the parent. */
function onKey({ key }: KeyboardEvent, { row, index, rows, toggle }: Position): boolean | number {
  if (key === 'ArrowRight') {
    if (row.isOpen === false) toggle(row)
    return row.isOpen ? index + 1 : true
  }
  if (key !== 'ArrowLeft') return false
  if (row.isOpen) toggle(row)
  const parent = rows.findLastIndex(({ level }, at) => at < index && level < row.level)
  return row.isOpen || parent < 0 ? true : parent
}

/** Returns the last event of a past run, as in time travel, and the paths that it changed. */
function useChanged(run: Run | undefined, rows: readonly TreeRow[]) {
  const { events, isStill } = useRunLog(run)
  const last = isStill && events.length > 1 ? events.at(-1) : undefined
  const before = useMemo(() => (last ? fold(events.slice(0, -1)) : undefined), [events, last])
  const changed = useMemo(() => (before ? changedPaths(rows, before) : none), [rows, before])
  return { last, changed }
}
const none: ReadonlySet<string> = new Set()

const drawRow = ({ name, value, level, isOpen, isFound, position, siblings }: TreeRow, isChanged: boolean) => ({
  attributes: {
    'aria-level': level,
    'aria-expanded': isOpen,
    'aria-posinset': position,
    'aria-setsize': siblings,
    'data-found': isFound || undefined,
    'data-changed': isChanged || undefined,
  },
  content: (
    <span data-part="node" style={{ paddingInlineStart: `${(level - 1) * 0.9}rem` }}>
      {isOpen === undefined ? <span data-part="leaf" /> : <Icon name="open" />}
      <span data-part="key">{name}: </span>
      <span data-type={value === null ? 'null' : typeof value}>{preview(value)}</span>
      {isTime(name, value) && <small> {new Date(value).toLocaleString()}</small>}
      {isChanged && <small data-part="changed"> changed</small>}
    </span>
  ),
})

/** Returns true for the name of a time in a state. */
const isTime = (name: string, value: unknown): value is number =>
  /(?:^at|At)$/.test(name) && typeof value === 'number' && Math.abs(value) < 8.64e15

function preview(value: unknown): string {
  if (Array.isArray(value)) return `[${value.length}]`
  if (typeof value === 'object' && value !== null) {
    const keys = Object.keys(value)
    return `{${keys.slice(0, 4).join(', ')}${keys.length > 4 ? ', …' : ''}}`
  }
  return typeof value === 'string' ? `"${escapeHidden(value.slice(0, 200))}"` : String(value)
}
