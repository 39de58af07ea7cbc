import { Undo2 } from 'lucide-react'
import { type DragEvent, useEffect, useRef, useState } from 'react'
import { usePage } from '../run/usePlayground.ts'
import { HistoryFoot } from './HistoryFoot.tsx'
import { KeptQueries } from './KeptQueries.tsx'
import { RunRow } from './RunRow.tsx'
import { toRows } from './rows.ts'
import { StorageDialog } from './StorageDialog.tsx'
import { useDamaged } from './useDamaged.ts'
import { useImport } from './useImport.ts'
import { useBringBack } from './useRemove.ts'
import { useRuns } from './useRuns.ts'
import './runHistory.css'

/** The runs of this browser: those that are open here, and those of earlier visits. */
export const RunHistory = () => (
  <KeptQueries>
    <History />
    <StorageDialog />
  </KeptQueries>
)

function History() {
  const bring = useImport()
  const [isOver, setOver] = useState(false)
  const over = (event: DragEvent): void => {
    if (!event.dataTransfer.types.includes('Files')) return
    event.preventDefault()
    setOver(true)
  }
  const drop = (event: DragEvent): void => {
    event.preventDefault()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) bring.mutate(file)
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button below does the same.
    <div className="history" data-over={isOver} onDragOver={over} onDragLeave={() => setOver(false)} onDrop={drop}>
      <Rows />
      <Removed />
      <HistoryFoot bring={bring} />
    </div>
  )
}

function Rows() {
  const { data, error, isPending, hasNextPage, fetchNextPage, isFetchingNextPage } = useRuns()
  const conversations = usePage((page) => page.conversations)
  const failures = usePage((page) => page.failures)
  const shown = usePage((page) => page.shown)
  const damaged = useDamaged(data !== undefined && data.runs.length > 0)
  const rows = toRows(data?.runs ?? [], conversations, { ...damaged, ...failures })
  return (
    <>
      {error && <p role="alert">The list of runs could not be read: {error.message}</p>}
      {rows.length === 0 && !isPending && (
        <p className="runs-none">
          {data?.isFleeting
            ? 'This browser keeps nothing for this page: runs last as long as it is open.'
            : 'Runs are kept in this browser, and go on after a reload. Several can work at once.'}
        </p>
      )}
      <ul>
        {rows.map((row) => (
          <RunRow key={row.runId} row={row} isShown={row.runId === shown} />
        ))}
      </ul>
      {hasNextPage && (
        <button type="button" className="button" disabled={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Show older runs
        </button>
      )}
    </>
  )
}

/** What was deleted last, and the way back. */
function Removed() {
  const removed = usePage((page) => page.removed)
  const { mutate, isPending, error } = useBringBack()
  const button = useRef<HTMLButtonElement>(null)

  // The button that deleted it is gone, and the focus with it.
  useEffect(() => {
    if (removed && document.activeElement === document.body) button.current?.focus()
  }, [removed])

  return (
    <div role="status" className="removed" hidden={!removed}>
      {removed && (
        <>
          <span className="run-title">Deleted “{removed.title}”</span>
          {removed.logs.length > 0 && (
            <button ref={button} type="button" className="button" disabled={isPending} onClick={() => mutate(removed)}>
              <Undo2 aria-hidden /> Undo
            </button>
          )}
          {error && <p>{error.message}</p>}
        </>
      )}
    </div>
  )
}
