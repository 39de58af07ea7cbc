import '@interleave/devtools/styles.css'
import './insidePart.css'
import type { Agent, Event, Run } from '@interleave/core'
import { EventList, StateTree, Timeline, UsageChart, useRunLog, WithInspector } from '@interleave/devtools'
import { GitFork, History } from 'lucide-react'
import { type ReactNode, useMemo } from 'react'
import { agentFrom } from '../agents/agentFrom.ts'
import { CopyButton } from '../parts/CopyButton.tsx'
import { runLink } from '../run/address.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { uploadedFile } from '../tables/uploadedFile.ts'

export interface InsidePartProps {
  readonly part: 'timeline' | 'usage' | 'state' | 'log'
  readonly conversation: Conversation
}

/** Shows a part of the devtools for the run that is shown. The selection is in the address. */
export function InsidePart({ part, conversation }: InsidePartProps): ReactNode {
  const { run } = conversation
  const { selectEvent } = usePlayground()
  const selected = usePage(({ selectedEvent }) => selectedEvent)
  const agent = useRunAgent(conversation)
  if (part === 'state') return <StateTree run={run} />

  const shown = { run, selected, onSelect: selectEvent }
  return (
    <WithInspector {...shown} agent={agent} actions={(event) => <EventActions event={event} run={run} />}>
      {part === 'timeline' && <Timeline {...shown} />}
      {part === 'usage' && <UsageChart {...shown} />}
      {part === 'log' && <EventList {...shown} />}
    </WithInspector>
  )
}

/** Observes a run whichever part of it is shown, since live events are not stored. */
export function Watching({ conversation: { run } }: Pick<InsidePartProps, 'conversation'>): ReactNode {
  useRunLog(run)
  return null
}

/** The actions on an event: continue from it in a new run, show the run as it was, link to it. */
function EventActions({ event: { seq }, run }: { event: Event; run: Run }) {
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

/** Returns the agent of a run, to recompute its prompts. It executes nothing. */
function useRunAgent({ file, runModel, log: shown, past }: Conversation): Agent | undefined {
  const log = past?.live.log ?? shown
  return useMemo(() => {
    try {
      return agentFrom(file, { ...runModel, file: uploadedFile(log.events) })
    } catch {
      // A file that was edited since may be wrong. The messages of the log are shown then.
      return undefined
    }
  }, [file, runModel, log])
}
