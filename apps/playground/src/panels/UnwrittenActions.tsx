import type { Failure } from '@interleave/core'
import { useExport } from '../run/useExport.ts'
import { usePlayground } from '../run/usePlayground.ts'

/** The actions on a run that could not be stored. */
export function UnwrittenActions({ runId, code }: { runId: string; code: Failure['code'] }) {
  const { showStorage } = usePlayground()
  const { save, trouble } = useExport()
  return (
    <>
      <button type="button" className="button" onClick={() => void save(runId)}>
        Export
      </button>
      {code === 'journal_full' && (
        <button type="button" className="button" aria-haspopup="dialog" onClick={() => showStorage(true)}>
          Delete old runs
        </button>
      )}
      {trouble && <p role="alert">{trouble}</p>}
    </>
  )
}
