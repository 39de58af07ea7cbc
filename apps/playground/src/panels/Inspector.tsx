import type { Event } from '@interleave/core'
import { type KeyboardEvent, useState } from 'react'
import { duration } from '../parts/wording.ts'
import type { Conversation } from '../run/PlaygroundState.ts'
import { useEvents, usePlayground } from '../run/usePlayground.ts'
import { EventView } from './EventView.tsx'
import { ExportButtons } from './ExportButtons.tsx'
import { summaryOf } from './summaryOf.ts'
import './inspector.css'

/** The log of a run, event by event. */
export function Inspector({ conversation }: { conversation: Conversation }) {
  const { fork } = usePlayground()
  const events = useEvents(conversation)
  const [type, chooseType] = useState('all')
  const [opened, open] = useState<number>()
  const fitting = events.filter((event) => type === 'all' || event.type === type)
  const event = fitting.find(({ seq }) => seq === opened)

  return (
    <div className="inspector" data-split={event !== undefined}>
      <div className="inspector-bar">
        <TypeSelect events={events} value={type} onChange={chooseType} />
        <ExportButtons events={events} runId={conversation.run.id} />
      </div>
      <ol className="events" aria-label="Events" onKeyDown={walk}>
        {fitting.map((one, index) => (
          <li key={one.seq}>
            <EventRow
              event={one}
              startedAt={events[0]?.at ?? one.at}
              isOpen={one === event}
              isEntry={event ? one === event : index === 0}
              onOpen={() => open(one === event ? undefined : one.seq)}
            />
          </li>
        ))}
      </ol>
      {event && (
        <EventView
          event={event}
          events={events}
          onClose={() => open(undefined)}
          onFork={() => void fork(conversation, { at: event.seq })}
        />
      )}
    </div>
  )
}

/** The list is one stop of the Tab key; arrow keys walk through its rows. */
function walk(event: KeyboardEvent<HTMLElement>): void {
  const step = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' } as const
  const way = step[event.key as keyof typeof step]
  const row = event.target instanceof HTMLElement && way ? event.target.closest('li')?.[way] : undefined
  const button = row?.querySelector('button')
  if (!button) return
  event.preventDefault()
  button.focus()
}

interface EventRowProps {
  readonly event: Event
  readonly startedAt: number
  readonly isOpen: boolean
  readonly isEntry: boolean
  readonly onOpen: () => void
}

const EventRow = ({ event, startedAt, isOpen, isEntry, onOpen }: EventRowProps) => (
  <button type="button" className="event-row" aria-expanded={isOpen} tabIndex={isEntry ? 0 : -1} onClick={onOpen}>
    <span className="event-seq">{event.seq}</span>
    <span className={`event-type ${event.type}`}>{event.type}</span>
    <span className="event-summary">{summaryOf(event)}</span>
    <span className="event-time">{duration(event.at - startedAt)}</span>
  </button>
)

function TypeSelect({
  events,
  value,
  onChange,
}: {
  events: readonly Event[]
  value: string
  onChange: (type: string) => void
}) {
  const types = [...new Set(events.map(({ type }) => type))]
  return (
    <select aria-label="Show events of type" value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="all">All events ({events.length})</option>
      {types.map((type) => (
        <option key={type} value={type}>
          {type} ({events.filter((event) => event.type === type).length})
        </option>
      ))}
    </select>
  )
}
