import { type ReactNode, useEffect, useState } from 'react'
import { EventList } from './EventList.tsx'
import { type InspectorProps, WithInspector } from './Inspector.tsx'
import { StateTree } from './StateTree.tsx'
import { Tabs } from './Tabs.tsx'
import { Timeline } from './Timeline.tsx'
import { UsageChart } from './UsageChart.tsx'
import { logStoreOf } from './useRunLog.ts'

/**
 * Shows a run in detail: a timeline of its model and tool calls, tokens and cost, its state and its log, and the
 * selected event. Fills its container. Load it lazily to keep it out of your bundle.
 *
 * @example
 * const Devtools = lazy(async () => ({ default: (await import('@interleave/devtools')).Devtools }))
 */
export function Devtools({ run, selected: given, onSelect, agent, actions }: InspectorProps): ReactNode {
  const [own, setOwn] = useState<{ readonly of: string | undefined; readonly seq: number | undefined }>()
  const isControlled = onSelect !== undefined
  // An event of one run is none of another.
  const selected = own?.of === run?.id ? own?.seq : undefined
  const select = (seq: number | undefined): void => setOwn({ of: run?.id, seq })
  const panel = { run, selected: isControlled ? given : selected, onSelect: onSelect ?? select }
  // Observes the run whichever tab is selected.
  useEffect(() => (run ? logStoreOf(run).subscribe(() => {}) : undefined), [run])
  const inspected = (part: ReactNode): ReactNode => (
    <WithInspector {...panel} agent={agent} actions={actions}>
      {part}
    </WithInspector>
  )
  return (
    <section data-interleave="devtools" aria-label="Devtools">
      <Tabs
        label="Views of the run"
        tabs={[
          { id: 'timeline', title: 'Timeline', content: () => inspected(<Timeline {...panel} />) },
          { id: 'usage', title: 'Usage', content: () => inspected(<UsageChart {...panel} />) },
          { id: 'state', title: 'State', content: () => <StateTree run={run} /> },
          { id: 'log', title: 'Log', content: () => inspected(<EventList {...panel} />) },
        ]}
      />
    </section>
  )
}
