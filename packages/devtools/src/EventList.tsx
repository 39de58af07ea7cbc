import type { Event } from '@interleave/core'
import { escapeHidden } from '@interleave/react/internal'
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { CopyButton } from './CopyButton.tsx'
import { findEvents } from './findEvents.ts'
import type { PanelProps } from './PanelProps.ts'
import { RowList } from './RowList.tsx'
import { summaryOf } from './summaryOf.ts'
import { useRunLog } from './useRunLog.ts'
import { count, duration } from './wording.ts'

/** Every event of the log as it comes, to filter and to search. */
export function EventList({ run, selected, onSelect }: PanelProps): ReactNode {
  const { events } = useRunLog(run)
  const [type, chooseType] = useState('')
  const [typed, search] = useState('')
  const words = useDeferredValue(typed)
  const found = useMemo(() => findEvents(events, { type, words }), [events, type, words])
  const begun = events[0]?.at ?? 0

  return (
    <div data-interleave="devtools" data-part="panel">
      <div data-part="bar">
        <TypeSelect events={events} value={type} onChange={chooseType} />
        <input
          type="search"
          aria-label="Search the log"
          placeholder="Search"
          value={typed}
          onChange={({ target }) => search(target.value)}
        />
        <p data-part="facts" role="status">
          {found.length === events.length ? '' : `${count(found.length)} of ${count(events.length)}`}
        </p>
        <CopyButton label="Copy these events" text={() => JSON.stringify(found, null, 2)} />
      </div>
      {found.length === 0 ? (
        <div data-part="empty">{events.length === 0 ? 'Nothing has happened yet.' : 'No event is like this.'}</div>
      ) : (
        <RowList
          label="Events"
          rows={found}
          rowHeight={28}
          keyOf={keyOf}
          selected={selected === undefined ? undefined : String(selected)}
          onSelect={({ seq }) => onSelect?.(seq)}
          draw={(event) => drawEvent(event, begun)}
          more={{
            followsEnd: true,
            onKey({ key }) {
              if (key !== 'Escape' || selected === undefined) return false
              onSelect?.(undefined)
              return true
            },
          }}
        />
      )}
    </div>
  )
}

const keyOf = ({ seq }: Event): string => String(seq)

function drawEvent(event: Event, begun: number) {
  const { seq, type, at } = event
  const summary = escapeHidden(summaryOf(event).slice(0, 300))
  const after = duration(at - begun)
  return {
    attributes: { 'data-event': type },
    content: (
      <>
        <span data-part="seq">{seq} </span>
        <span data-part="type">{type} </span>
        <span data-part="summary" title={summary}>
          {summary}
        </span>
        <span data-part="took">
          <span data-part="hidden">, after </span>
          {after}
        </span>
      </>
    ),
  }
}

interface TypeSelectProps {
  readonly events: readonly Event[]
  readonly value: string
  readonly onChange: (type: string) => void
}

function TypeSelect({ events, value, onChange }: TypeSelectProps) {
  const counts = new Map<string, number>()
  for (const event of events) counts.set(event.type, (counts.get(event.type) ?? 0) + 1)
  return (
    <select aria-label="Show events of type" value={value} onChange={({ target }) => onChange(target.value)}>
      <option value="">All events ({count(events.length)})</option>
      {[...counts].map(([type, times]) => (
        <option key={type} value={type}>
          {type} ({count(times)})
        </option>
      ))}
    </select>
  )
}
