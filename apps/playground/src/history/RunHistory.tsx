import { plainText } from '@interleave/react/untrusted'
import { useMutation } from '@tanstack/react-query'
import { FolderOpen, HardDrive, ListChecks, Search, ShieldCheck, Undo2, X } from 'lucide-react'
import { type ChangeEvent, useEffect, useRef, useState } from 'react'
import { ariaKeys } from '../commands/keys.ts'
import { isFocusLost } from '../parts/focus.ts'
import { own } from '../parts/objects.ts'
import { useFileDrop } from '../parts/useFileDrop.ts'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { toStored } from '../storage/storedConnection.ts'
import { RunRows } from './RunRows.tsx'
import { StorageDialog } from './StorageDialog.tsx'
import { StorageQueries } from './StorageQueries.tsx'
import { useBringBack } from './useRemove.ts'
import './runHistory.css'

/** The runs of this browser: those that are open here, and those of earlier visits. */
export const RunHistory = () => (
  <StorageQueries>
    <History />
    <StorageDialog />
  </StorageQueries>
)

function History() {
  const bring = useImport()
  const [query, setQuery] = useState('')
  const drop = useFileDrop((file) => bring.mutate(file))
  return (
    <div className="history" {...drop}>
      <RunSearch query={query} onQuery={setQuery} />
      <div className="history-list">
        <RunRows query={query} />
      </div>
      <RemovedNotice />
      <HistoryFoot bring={bring} />
    </div>
  )
}

interface RunSearchProps {
  readonly query: string
  readonly onQuery: (query: string) => void
}

/** Searches runs by title, agent and state. */
const RunSearch = ({ query, onQuery }: RunSearchProps) => (
  <search className="run-search">
    <Search aria-hidden />
    <input
      id="run-search"
      type="text"
      aria-label="Search in the runs"
      aria-keyshortcuts={ariaKeys('/')}
      placeholder="Search runs"
      autoComplete="off"
      value={query}
      onChange={({ target }) => onQuery(target.value)}
      onKeyDown={({ key }) => key === 'Escape' && onQuery('')}
    />
    {query ? (
      <button type="button" className="icon-button" aria-label="Show all runs" onClick={() => onQuery('')}>
        <X aria-hidden />
      </button>
    ) : (
      <kbd aria-hidden>/</kbd>
    )}
  </search>
)

/** Buttons for runs from a file, many runs, permissions and storage. */
function HistoryFoot({ bring }: { bring: ReturnType<typeof useImport> }) {
  const { showStorage, openDialog } = usePlayground()
  const picker = useRef<HTMLInputElement>(null)
  const pick = ({ target }: ChangeEvent<HTMLInputElement>): void => {
    const file = target.files?.[0]
    if (file) bring.mutate(file)
    // The same file may be picked again.
    target.value = ''
  }
  return (
    <footer className="history-foot">
      {bring.error && (
        <div role="alert" className="history-trouble">
          <p>{bring.error.message}</p>
          <button type="button" className="button" onClick={bring.reset}>
            Close
          </button>
        </div>
      )}
      <input
        ref={picker}
        id="run-file"
        type="file"
        accept=".json,application/json"
        hidden
        aria-label="File of a run"
        onChange={pick}
      />
      <button type="button" className="button" disabled={bring.isPending} onClick={() => picker.current?.click()}>
        <FolderOpen aria-hidden /> {bring.isPending ? 'Opening …' : 'Import run…'}
      </button>
      <button type="button" className="button" aria-haspopup="dialog" onClick={() => openDialog('many')}>
        <ListChecks aria-hidden /> Many runs
      </button>
      <button type="button" className="button" aria-haspopup="dialog" onClick={() => openDialog('permissions')}>
        <ShieldCheck aria-hidden /> Permissions
      </button>
      <button type="button" className="button" aria-haspopup="dialog" onClick={() => showStorage(true)}>
        <HardDrive aria-hidden /> Storage
      </button>
    </footer>
  )
}

/** The notice of the latest deletion, with an undo button. */
function RemovedNotice() {
  const removed = usePage((page) => page.removed)
  const name = usePage(({ marks }) => removed && own(marks, removed.runId)?.name)
  const { mutate, isPending, error } = useBringBack()
  const button = useRef<HTMLButtonElement>(null)

  // The button that deleted it disappears, and the focus with it.
  useEffect(() => {
    const row = document.activeElement?.closest<HTMLElement>('.run-row')
    if (removed && (isFocusLost() || row?.dataset.run === removed.runId)) button.current?.focus()
  }, [removed])

  return (
    <div role="status" className="removed" hidden={!removed}>
      {removed && (
        <>
          <span className="run-title">
            Deleted <bdi>“{plainText((name ?? removed.title).slice(0, 500))}”</bdi>
          </span>
          {(removed.logs.length > 0 || removed.served) && (
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

/** A file with more bytes than this is not read. */
const most = 2 ** 28

/** Imports a run from a file, and shows it. It waits until the user continues it, with the model of this page. */
function useImport() {
  const { store, openStorage, change, show } = usePlayground()
  return useMutation({
    mutationFn: async (file: File) => {
      if (file.size > most) throw new Error('The file is larger than 256 MB. Pick one that was exported here.')
      const [storage, { fromFile }] = await Promise.all([openStorage(), import('../storage/runFiles.ts')])
      const { runId, agent } = await fromFile(storage, await file.text())
      const connection = toStored(store.getState().connection)
      try {
        if (agent) await storage.records.put({ runId, ...agent, connection })
      } catch (error) {
        // Without its agent it would be continued with another one.
        await storage.journal.delete(runId)
        throw error
      }
      return runId
    },
    onSuccess: (runId) => {
      store.setState({ removed: undefined })
      void show(runId)
    },
    onSettled: change,
  })
}
