import { Download, Pencil, Pin, PinOff, Trash2 } from 'lucide-react'
import { useExport } from '../run/useExport.ts'
import { usePlayground } from '../run/usePlayground.ts'
import type { Row } from './rows.ts'
import type { useRemove } from './useRemove.ts'

export interface RunActionsProps {
  readonly row: Row
  readonly remove: ReturnType<typeof useRemove>
  readonly onRename: () => void
}

/** The actions on a run of the list. */
export function RunActions({ row: { runId, mark }, remove, onRename }: RunActionsProps) {
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
