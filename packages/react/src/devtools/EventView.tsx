import { fold } from '@interleave/core/observe'
import { type ReactNode, useMemo } from 'react'
import { Facts } from './Facts.tsx'
import { FailureNote } from './FailureNote.tsx'
import type { EventItem } from './itemAt.ts'
import { JsonText } from './JsonText.tsx'
import type { RunLog } from './runLog.ts'
import { Tabs } from './Tabs.tsx'
import { duration } from './wording.ts'
import { wordsOf } from './wordsOf.ts'

/** An event as it stands in the log, and the state that the log gives up to it. */
export function EventView({ item: { event }, log }: { item: EventItem; log: RunLog }): ReactNode {
  const begun = log.events[0]?.at ?? event.at
  return (
    <>
      <Facts facts={{ At: new Date(event.at).toLocaleString(), 'After the start': duration(event.at - begun) }} />
      {event.type === 'said' && <JsonText value={wordsOf(event.content)} label="The message" />}
      {event.type === 'rested' && event.signal.type === 'failed' && <FailureNote error={event.signal.error} />}
      <Tabs
        label="Parts of the event"
        tabs={[
          {
            id: 'event',
            title: 'Event',
            content: () => <JsonText value={event} label={`Event ${event.seq} as JSON`} />,
          },
          { id: 'state', title: 'State after it', content: () => <StateAfter seq={event.seq} log={log} /> },
        ]}
      />
    </>
  )
}

function StateAfter({ seq, log }: { seq: number; log: RunLog }) {
  const state = useMemo(() => fold(log.events.slice(0, seq + 1)), [log, seq])
  return <JsonText value={state} label={`State after event ${seq} as JSON`} />
}
