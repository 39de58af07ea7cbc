import { EventList, StateTree, Timeline, UsageChart, useRunLog, WithInspector } from '@interleave/devtools'
import '@interleave/devtools/styles.css'
import type { ReactNode } from 'react'
import type { Conversation } from '../run/PlaygroundState.ts'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { EventActions } from './EventActions.tsx'
import { useRunAgent } from './useRunAgent.ts'
import './insidePart.css'

export interface InsidePartProps {
  readonly part: 'timeline' | 'usage' | 'state' | 'log'
  readonly conversation: Conversation
}

/** A part of the devtools, about the run that is shown. What is selected stands in the address. */
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

/** Watches a run whichever part of it is shown: what is not kept is seen once. */
export function Watching({ conversation: { run } }: Pick<InsidePartProps, 'conversation'>): ReactNode {
  useRunLog(run)
  return null
}
