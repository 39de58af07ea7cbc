import type { Event } from '@interleave/core'
import { fold } from '@interleave/core/observe'
import { GitFork, X } from 'lucide-react'
import { Source } from '../parts/JsonValue.tsx'
import { Tabs } from '../parts/Tabs.tsx'

export interface EventViewProps {
  readonly event: Event
  readonly events: readonly Event[]
  readonly onClose: () => void
  /** Makes a new run of this one, up to and with the event. */
  readonly onFork: () => void
}

/** One event as it stands in the log, and the state that the log gives up to it. */
export function EventView({ event, events, onClose, onFork }: EventViewProps) {
  return (
    <section className="event-view" aria-label={`Event ${event.seq}`}>
      <button type="button" className="icon-button" aria-label="Close the event" onClick={onClose}>
        <X aria-hidden />
      </button>
      <Tabs
        label={`Event ${event.seq}`}
        tabs={[
          { id: 'event', title: 'Event', content: <Source value={event} label={`Event ${event.seq} as JSON`} /> },
          { id: 'state', title: 'State after it', content: <StateAfter event={event} events={events} /> },
        ]}
      />
      {isPlace(event) && (
        <button type="button" className="button event-fork" onClick={onFork}>
          <GitFork aria-hidden /> Go on from here in a new run
        </button>
      )}
    </section>
  )
}

/** After it, there is something to do. */
const isPlace = ({ type }: Event): boolean => type === 'said' || type === 'observed' || type === 'replied'

const StateAfter = ({ event, events }: Pick<EventViewProps, 'event' | 'events'>) => (
  <Source value={fold(events.filter(({ seq }) => seq <= event.seq))} label={`State after event ${event.seq} as JSON`} />
)
