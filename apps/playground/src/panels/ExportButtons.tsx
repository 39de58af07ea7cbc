import type { Event } from '@interleave/core'
import { Download } from 'lucide-react'
import { CopyButton } from '../parts/CopyButton.tsx'
import { download } from '../parts/download.ts'

/** Takes the log out of the page, to the clipboard or into a file. */
export function ExportButtons({ events, runId }: { events: readonly Event[]; runId: string }) {
  const text = (): string => JSON.stringify(events, null, 2)
  return (
    <>
      <CopyButton label="Copy" text={text} otherwise="Use Export." />
      <button
        type="button"
        className="button"
        onClick={() => download(`run-${runId}.json`, text(), 'application/json')}
      >
        <Download aria-hidden /> Export
      </button>
    </>
  )
}
