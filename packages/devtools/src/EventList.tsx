import type { Event } from '@interleave/core'
import { escapeHidden } from '@interleave/react/internal'
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { CopyButton, type PanelProps, SearchField } from './parts.tsx'
import { RowList } from './RowList.tsx'
import { type Call, callsByKey } from './timelineRows.ts'
import { useRunLog } from './useRunLog.ts'
import { calledWords, count, duration, observedWords, textOf } from './wording.ts'

/** Shows every event of the log as it arrives, filtered by type and text. */
export function EventList({ run, selected, onSelect }: PanelProps): ReactNode {
  const { events } = useRunLog(run)
  const [chosen, setType] = useState('')
  const [text, setText] = useState('')
  const words = useDeferredValue(text)
  // Another run may have no event of this type.
  const type = events.some((event) => event.type === chosen) ? chosen : ''
  const found = useMemo(() => findEvents(events, { type, words }), [events, type, words])
  const calls = useMemo(() => callsByKey(events), [events])
  const startedAt = events[0]?.at ?? 0

  return (
    <div data-interleave="devtools" data-part="panel">
      <div data-part="bar">
        <TypeSelect events={events} value={type} onChange={setType} />
        <SearchField label="Search the log" placeholder="Search" value={text} onChange={setText} />
        <p data-part="facts" role="status">
          {found.length === events.length ? '' : `${count(found.length)} of ${count(events.length)}`}
        </p>
        <CopyButton label="Copy these events" text={() => JSON.stringify(found, null, 2)} />
      </div>
      {found.length === 0 ? (
        <div data-part="empty">{events.length === 0 ? 'No events yet.' : 'No matching events.'}</div>
      ) : (
        <RowList
          label="Events"
          rows={found}
          rowHeight={28}
          keyOf={({ seq }) => String(seq)}
          selected={selected === undefined ? undefined : String(selected)}
          onSelect={({ seq }) => onSelect?.(seq)}
          draw={(event) => drawEvent(event, { startedAt, calls })}
          followsEnd
          onKey={({ key }) => {
            if (key !== 'Escape' || selected === undefined) return false
            onSelect?.(undefined)
            return true
          }}
        />
      )}
    </div>
  )
}

interface Log {
  readonly startedAt: number
  readonly calls: ReadonlyMap<string, Call>
}

function drawEvent(event: Event, { startedAt, calls }: Log) {
  const { seq, type, at } = event
  const summary = escapeHidden(summaryOf(event, calls).slice(0, 300))
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
          {duration(at - startedAt)}
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

const searchTexts = new WeakMap<Event, string>()

function searchTextOf(event: Event): string {
  const text = searchTexts.get(event) ?? JSON.stringify(event).toLowerCase()
  searchTexts.set(event, text)
  return text
}

/** Returns the events of a type, or of all, that contain all words. */
export function findEvents(
  events: readonly Event[],
  { type, words }: { readonly type: string; readonly words: string },
): readonly Event[] {
  const needles = words.toLowerCase().split(/\s+/).filter(Boolean)
  if (type === '' && needles.length === 0) return events
  return events.filter(
    (event) => (type === '' || event.type === type) && needles.every((needle) => searchTextOf(event).includes(needle)),
  )
}

/** Returns a short text for an event. */
function summaryOf(event: Event, calls: Log['calls']): string {
  switch (event.type) {
    case 'started':
      return event.agent
    case 'said':
      return textOf(event.content) || 'Withdrawn'
    case 'drafted':
      return event.text || event.reasoning
    case 'thought':
      return event.error?.message ?? event.parts.map(partWords).filter(Boolean).join(' ')
    case 'claimed': {
      const call = calls.get(event.call)
      return call ? calledWords(call) : event.call
    }
    case 'observed':
      return observedWords(event, calls.get(event.call) ?? { name: event.call })
    case 'asked':
    case 'permitted':
      return event.ask.prompt
    case 'revoked':
      return event.id
    case 'replied':
      return event.prompt ?? JSON.stringify(event.value).slice(0, 80)
    case 'withdrawn':
      return event.ask
    case 'noted':
      return event.key
    case 'released':
      return event.call
    case 'effectBegun':
      return event.name
    case 'amended':
      return event.reason
    case 'settled':
      return event.signal.type
    case 'seeded':
    case 'compacted':
      return `${event.messages.length} messages`
    case 'resumed':
      return ''
    case 'imported':
      return 'from a file'
  }
}

function partWords(part: Extract<Event, { type: 'thought' }>['parts'][number]): string {
  if (part.type === 'text' || part.type === 'reasoning') return part.text
  return part.type === 'tool-call' ? `→ ${part.toolName}` : ''
}
