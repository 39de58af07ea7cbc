import { type DragEvent, useState } from 'react'
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
      <RunSearch query={query} onQuery={search} />
      <div className="history-list">
        <RunRows query={query} />
      </div>
      <RemovedNotice />
      <HistoryFoot bring={bring} />
    </div>
  )
}
