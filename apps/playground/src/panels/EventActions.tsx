import type { Event, Run } from '@interleave/core'
import { GitFork, History } from 'lucide-react'
import { CopyButton } from '../parts/CopyButton.tsx'
import { runLink } from '../run/runLink.ts'
import { usePlayground } from '../run/usePlayground.ts'

/** What can be done from an event on: go on in a new run, look at the run as it was, link to it. */
export function EventActions({ event: { seq }, run }: { event: Event; run: Run }) {
  const { openFork, travel } = usePlayground()
  return (
    <>
      <button type="button" className="button" aria-haspopup="dialog" onClick={() => openFork(seq)}>
        <GitFork aria-hidden /> Fork
      </button>
      <button type="button" className="button" onClick={() => travel(seq)}>
        <History aria-hidden /> As it was then
      </button>
      <CopyButton label="Copy link" text={() => location.href.split('#')[0] + runLink(run.id, { event: seq })} />
    </>
  )
}
