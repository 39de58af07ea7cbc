import { useStatus } from '@interleave/react'
import { Download, Ellipsis, Trash2 } from 'lucide-react'
import { type MouseEvent, useId, useState } from 'react'
import { stateWord } from '../panels/stateWord.ts'
import { runLink } from '../run/runLink.ts'
import { useExport } from '../run/useExport.ts'
import { usePlayground } from '../run/usePlayground.ts'
import type { Row } from './rows.ts'
import { useRemove } from './useRemove.ts'
import { whenWords } from './whenWords.ts'

/** A run of the list, and what can be done with it. Looking at another one does not stop any. */
export function RunRow({ row, isShown }: { row: Row; isShown: boolean }) {
  const [isOpen, setOpen] = useState(false)
  const actions = useId()
  return (
    <li className="run-row" data-shown={isShown}>
      <RunLink row={row} isShown={isShown} />
      <button
        type="button"
        className="icon-button"
        aria-expanded={isOpen}
        aria-controls={actions}
        aria-label={`More about “${row.title}”`}
        onClick={() => setOpen(!isOpen)}
      >
        <Ellipsis aria-hidden />
      </button>
      <div id={actions} className="run-actions" hidden={!isOpen}>
        {isOpen && <RunActions runId={row.runId} />}
      </div>
    </li>
  )
}

function RunLink({ row: { runId, title, at, agent, word, conversation }, isShown }: { row: Row; isShown: boolean }) {
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
    <a className="run-link" href={runLink(runId)} aria-current={isShown ? 'page' : undefined} onClick={open}>
      <span className="run-title">{title || 'Without words'}</span>
      <span className="run-state" data-state={now}>
        <span>
          {agent} · {now}
        </span>
        <time dateTime={new Date(at).toISOString()}>{whenWords(at, new Date())}</time>
      </span>
    </a>
  )
}

function RunActions({ runId }: { runId: string }) {
  const remove = useRemove()
  const exporting = useExport()
  const trouble = remove.error?.message ?? exporting.trouble
  return (
    <>
      <button type="button" className="button" onClick={() => void exporting.save(runId)}>
        <Download aria-hidden /> Export
      </button>
      <button type="button" className="button" disabled={remove.isPending} onClick={() => remove.mutate(runId)}>
        <Trash2 aria-hidden /> Delete
      </button>
      {trouble && <p role="alert">{trouble}</p>}
    </>
  )
}
