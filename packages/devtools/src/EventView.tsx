import type { ReactNode } from 'react'
import { Facts } from './Facts.tsx'
import { FailureNote } from './FailureNote.tsx'
import type { EventItem } from './itemAt.ts'
import { JsonText } from './JsonText.tsx'
import type { RunLog } from './runLog.ts'
import { stateTab } from './stateTab.tsx'
import { Tabs } from './Tabs.tsx'
import { duration } from './wording.ts'
import { wordsOf } from './wordsOf.ts'

/** An event of the log, and the state after it. */
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
          stateTab(log, event.seq),
        ]}
      />
    </>
  )
}
