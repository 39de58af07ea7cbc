import type { Event } from '@interleave/core'
import { Copy, Download } from 'lucide-react'
import { useState } from 'react'

/** Takes the log out of the page, to the clipboard or into a file. */
export function ExportButtons({ events, runId }: { events: readonly Event[]; runId: string }) {
  const [said, say] = useState('')
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(JSON.stringify(events, null, 2))
      say('Copied')
    } catch {
      say('The browser does not let this page copy. Use Export.')
    }
  }
  return (
    <>
      <span role="status" className="inspector-said">
        {said}
      </span>
      <button type="button" className="button" onClick={() => void copy()}>
        <Copy aria-hidden /> Copy
      </button>
      <button type="button" className="button" onClick={() => download(`run-${runId}.json`, events)}>
        <Download aria-hidden /> Export
      </button>
    </>
  )
}

function download(name: string, events: readonly Event[]): void {
  const url = URL.createObjectURL(new Blob([JSON.stringify(events, null, 2)], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
