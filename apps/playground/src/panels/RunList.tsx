import { Plus } from 'lucide-react'
import { Suspense } from 'react'
import { KeyCaps } from '../commands/KeyCaps.tsx'
import { RunSkeleton } from '../history/RunSkeleton.tsx'
import { later } from '../parts/later.tsx'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { PaneSeparator } from '../shell/PaneSeparator.tsx'
import './runList.css'

// The page can be used before it knows what is kept.
const RunHistory = later(async () => (await import('../history/RunHistory.tsx')).RunHistory)

/** The way to a new run, and the runs of this browser. */
export function RunList() {
  const { show } = usePlayground()
  const isNew = usePage((page) => page.shown === undefined)
  return (
    <nav className="pane runs" aria-label="Runs" data-pane="runs">
      <button type="button" className="new-run" aria-current={isNew} onClick={() => void show(undefined)}>
        <Plus aria-hidden /> New run <KeyCaps keys="N" />
      </button>
      <Suspense fallback={<RunSkeleton />}>
        <RunHistory />
      </Suspense>
      <PaneSeparator pane="runs" />
    </nav>
  )
}
