import { FolderOpen, HardDrive, ListChecks, ShieldCheck } from 'lucide-react'
import { type ChangeEvent, useRef } from 'react'
import { usePlayground } from '../run/usePlayground.ts'
import type { useImport } from './useImport.ts'

/** Ways to what is not in the list: files, and the room that all of it takes. */
export function HistoryFoot({ bring }: { bring: ReturnType<typeof useImport> }) {
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
