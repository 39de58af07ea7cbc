import type { RunSummary } from '@interleave/core/journal'
import { plainText } from '@interleave/react/untrusted'
import { useEffect, useState } from 'react'
import { Dialog } from '../parts/Dialog.tsx'
import { errorWords } from '../parts/errorWords.ts'
import { whenWords } from '../parts/wording.ts'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import './comparison.css'
import { own } from '../parts/objects.ts'
import { originalFirst } from './originalFirst.ts'

/** Asks which other run a run is to be compared with. */
export function CompareDialog({ runId, onClose }: { runId: string; onClose: () => void }) {
  return (
    <Dialog title="Compare with which run?" isOpen onClose={onClose}>
      <Others runId={runId} onClose={onClose} />
    </Dialog>
  )
}

function Others({ runId, onClose }: { runId: string; onClose: () => void }) {
  const { browse, compare, store } = usePlayground()
  const marks = usePage((page) => page.marks)
  const [runs, setRuns] = useState<readonly RunSummary[]>()
  const [trouble, setTrouble] = useState<string>()

  useEffect(() => {
    browse()
      .then((journal) => journal.list({ limit: 100 }))
      .then((listed) => setRuns(listed.filter((run) => run.runId !== runId && !run.parent)))
      .catch((error: unknown) => setTrouble(errorWords(error)))
  }, [browse, runId])

  if (trouble) return <p role="alert">The list of runs could not be read: {trouble}</p>
  if (!runs) return <p className="thinking">Looking for runs</p>
  if (runs.length === 0) {
    return <p>There is no other run yet. Fork this one, or ask an agent the same in a new run, and compare the two.</p>
  }
  return (
    <ul className="compare-list">
      {runs.map(({ runId: other, title, agent, updatedAt }) => (
        <li key={other}>
          <button
            type="button"
            onClick={() => {
              onClose()
              compare(originalFirst(store.getState(), { a: runId, b: other }))
            }}
          >
            <bdi>{plainText(own(marks, other)?.name ?? title) || 'Untitled'}</bdi>
            <small>
              <bdi>{plainText(agent)}</bdi> · {whenWords(updatedAt, new Date())}
            </small>
          </button>
        </li>
      ))}
    </ul>
  )
}
