import type { RunState } from '@interleave/core'
import { useRun, useStatus, useUsage } from '@interleave/react'
import { plainText } from '@interleave/react/untrusted'
import {
  Circle,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CirclePause,
  CircleX,
  Download,
  Ellipsis,
  FileWarning,
  LoaderCircle,
  type LucideIcon,
  Pencil,
  Pin,
  PinOff,
  Trash2,
} from 'lucide-react'
import { type FormEvent, type KeyboardEvent, type MouseEvent, memo, useEffect, useId, useRef, useState } from 'react'
import { counted, duration, money, stateWord, whenWords } from '../parts/wording.ts'
import { linkTo } from '../run/address.ts'
import { useExport } from '../run/useExport.ts'
import { usePlayground } from '../run/usePlayground.ts'
import { places } from '../workers/Place.ts'
import { isSameRow, type Row, type RowWord } from './rows.ts'
import { useRemove } from './useRemove.ts'

export interface RunRowProps {
  readonly row: Row
  readonly isShown: boolean
  /** True for the row that Tab reaches. The arrow keys lead to the others. */
  readonly isInTabOrder: boolean
}

/** Shows a run of the list, and the actions on it. Showing another run does not stop this one. */
export const RunRow = memo(function RunRow({ row, isShown, isInTabOrder }: RunRowProps) {
  const [isOpen, setOpen] = useState(false)
  const [isRenamed, setRenamed] = useState(false)
  const remove = useRemove()
  const actions = useId()
  const press = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLAnchorElement)) return
    if (event.key === 'F2') setRenamed(true)
    else if (event.key === 'Delete') remove.mutate(row.runId)
    else return
    event.preventDefault()
  }
  return (
    <li className="run-row" data-run={row.runId} data-shown={isShown} onKeyDown={press}>
      {isRenamed ? (
        <RenameForm row={row} onDone={() => setRenamed(false)} />
      ) : (
        <RunLink row={row} isShown={isShown} isInTabOrder={isInTabOrder} />
      )}
      {!isRenamed && (
        <button
          type="button"
          className="icon-button"
          tabIndex={isInTabOrder ? 0 : -1}
          aria-expanded={isOpen}
          aria-controls={actions}
          aria-label={`More about “${plainText(row.title)}”`}
          onClick={() => setOpen(!isOpen)}
        >
          <Ellipsis aria-hidden />
        </button>
      )}
      <div id={actions} className="run-actions" hidden={!isOpen}>
        {isOpen && <RunActions row={row} remove={remove} onRename={() => setRenamed(true)} />}
      </div>
    </li>
  )
}, areSame)

function areSame(before: RunRowProps, { row, isShown, isInTabOrder }: RunRowProps): boolean {
  return before.isShown === isShown && before.isInTabOrder === isInTabOrder && isSameRow(before.row, row)
}

function RunLink({ row, isShown, isInTabOrder }: RunRowProps) {
  const { runId, title, at, agent, word, place, mark, conversation } = row
  const { show } = usePlayground()
  const status = useStatus(conversation?.run)
  const now = conversation ? stateWord(status) : word
  // Another tab or window is left to the browser.
  const open = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void show(runId)
  }
  return (
    <a
      className="run-link"
      href={linkTo({ type: 'run', runId })}
      tabIndex={isInTabOrder ? 0 : -1}
      aria-current={isShown ? 'page' : undefined}
      onClick={open}
    >
      <span className="run-title" dir="auto">
        {plainText(title.slice(0, 500)) || 'Untitled'}
      </span>
      <span className="run-state" data-state={now}>
        <StateIcon word={now} />
        <span>
          <bdi>{plainText(agent)}</bdi> · {now}
        </span>
        <span className="run-facts">
          {mark.isPinned && <Pin role="img" aria-label="pinned" />}
          {place !== 'page' && <span className="run-place">{places[place]}</span>}
          <Cost row={{ mark, conversation }} />
          {/* One that begins elsewhere has no time yet. */}
          {isDate(at) && <time dateTime={new Date(at).toISOString()}>{whenWords(at, new Date())}</time>}
        </span>
      </span>
      <Facts row={row} />
    </a>
  )
}

/** Tells runs with the same words apart. */
function Facts({ row: { ms, events, mark, conversation } }: { row: Row }) {
  const turns = useRun(conversation?.run, turnsOf) || mark.turns
  const lasted = useRun(conversation?.run, lastedOf)
  const time = conversation ? lasted : ms
  const size = turns ? counted(turns, 'turn') : counted(events, 'event')
  return (
    <span className="run-details">
      {[size, time > 0 && duration(time), mark.model && plainText(mark.model)].filter(Boolean).join(' · ')}
    </span>
  )
}

const lastedOf = ({ signal, startedAt, updatedAt }: RunState): number => (signal ? updatedAt - startedAt : 0)
const turnsOf = ({ iteration }: RunState): number => iteration

/** In dollars. A run that costs nothing, or whose price is unknown, shows none. */
function Cost({ row: { mark, conversation } }: { row: Pick<Row, 'mark' | 'conversation'> }) {
  const { total } = useUsage(conversation?.run)
  const cost = conversation && total.unpricedTurns === 0 ? total.cost : mark.cost
  return cost ? <span className="run-cost">{money(cost)}</span> : null
}

/** A run that begins elsewhere has no time yet, and a damaged one may have any. */
const isDate = (at: number): boolean => at > 0 && !Number.isNaN(new Date(at).getTime())

/** Renames a run. An empty name restores its first words. */
function RenameForm({ row: { runId, title }, onDone }: { row: Row; onDone: () => void }) {
  const { mark } = usePlayground()
  const field = useRef<HTMLInputElement>(null)
  const form = useRef<HTMLFormElement>(null)

  useEffect(() => field.current?.select(), [])

  const leave = (): void => {
    const row = form.current?.closest('li')
    onDone()
    requestAnimationFrame(() => row?.querySelector('a')?.focus())
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    mark(runId, { name: field.current?.value.trim().slice(0, 120) })
    leave()
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    leave()
  }
  return (
    <form ref={form} className="rename" onSubmit={submit}>
      <input
        ref={field}
        className="text-field"
        aria-label="Name of the run"
        defaultValue={title}
        maxLength={120}
        onKeyDown={press}
      />
      <button type="submit" className="button">
        Save
      </button>
    </form>
  )
}

const icons: Readonly<Record<RowWord, LucideIcon>> = {
  idle: Circle,
  working: LoaderCircle,
  'needs you': CircleHelp,
  done: CircleCheck,
  failed: CircleX,
  stopped: CirclePause,
  unfinished: CircleDashed,
  damaged: FileWarning,
}

/** Shows the state of a run as an icon, next to its word. */
function StateIcon({ word }: { word: RowWord }) {
  const Icon = icons[word]
  return <Icon aria-hidden className="state-icon" />
}

interface RunActionsProps {
  readonly row: Row
  readonly remove: ReturnType<typeof useRemove>
  readonly onRename: () => void
}

/** The actions on a run of the list. */
function RunActions({ row: { runId, mark }, remove, onRename }: RunActionsProps) {
  const playground = usePlayground()
  const exporting = useExport()
  const trouble = remove.error?.message ?? exporting.trouble
  const pin = (): void => playground.mark(runId, { isPinned: mark.isPinned ? undefined : true })
  return (
    <>
      <button type="button" className="button" onClick={() => void exporting.save(runId)}>
        <Download aria-hidden /> Export
      </button>
      <button type="button" className="button" disabled={remove.isPending} onClick={() => remove.mutate(runId)}>
        <Trash2 aria-hidden /> Delete
      </button>
      <button type="button" className="button" onClick={onRename}>
        <Pencil aria-hidden /> Rename
      </button>
      <button type="button" className="button" onClick={pin}>
        {mark.isPinned ? <PinOff aria-hidden /> : <Pin aria-hidden />} {mark.isPinned ? 'Unpin' : 'Pin'}
      </button>
      {trouble && <p role="alert">{trouble}</p>}
    </>
  )
}
