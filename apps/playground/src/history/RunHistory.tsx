import { useState } from 'react'
import { useFileDrop } from '../parts/useFileDrop.ts'
import { HistoryFoot } from './HistoryFoot.tsx'
import { KeptQueries } from './KeptQueries.tsx'
import { RemovedNotice } from './RemovedNotice.tsx'
import { RunRows } from './RunRows.tsx'
import { RunSearch } from './RunSearch.tsx'
import { StorageDialog } from './StorageDialog.tsx'
import { useImport } from './useImport.ts'
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
  const [query, search] = useState('')
  const drop = useFileDrop((file) => bring.mutate(file))
  return (
    <div className="history" {...drop}>
      <RunSearch query={query} onQuery={search} />
      <div className="history-list">
        <RunRows query={query} />
      </div>
      <RemovedNotice />
      <HistoryFoot bring={bring} />
    </div>
  )
}
