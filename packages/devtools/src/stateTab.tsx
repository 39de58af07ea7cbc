import { fold } from '@interleave/core/observe'
import { type ReactNode, useMemo } from 'react'
import { JsonText } from './JsonText.tsx'
import type { RunLog } from './runLog.ts'
import type { Tab } from './Tabs.tsx'

/** Shows the state after an event. */
export const stateTab = (log: RunLog, seq: number): Tab => ({
  id: 'state',
  title: 'State after it',
  content: () => <StateAfter seq={seq} log={log} />,
})

function StateAfter({ seq, log }: { seq: number; log: RunLog }): ReactNode {
  // As long as this event is there, so are those before it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what comes later changes nothing of it.
  const state = useMemo(() => fold(log.events.slice(0, seq + 1)), [log.events[seq]])
  return <JsonText value={state} label={`State after event ${seq} as JSON`} />
}
