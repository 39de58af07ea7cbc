import type { Event } from '@interleave/core'
import { escapeHidden } from '@interleave/react/internal'
import { type ReactNode, useDeferredValue, useMemo, useState } from 'react'
import { CopyButton, type PanelProps } from './parts.tsx'
import { RowList } from './RowList.tsx'
import { useRunLog } from './useRunLog.ts'
import { count, duration, wordsOf } from './wording.ts'

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

const texts = new WeakMap<Event, string>()

/** An event as text to search in. */
function textOf(event: Event): string {
  const known = texts.get(event)
  if (known !== undefined) return known
  const text = JSON.stringify(event).toLowerCase()
  texts.set(event, text)
  return text
}

/** The events of this type, or of all, that have all of these words in them. */
export function findEvents(
  events: readonly Event[],
  { type, words }: { readonly type: string; readonly words: string },
): readonly Event[] {
  const needles = words.toLowerCase().split(/\s+/).filter(Boolean)
  if (type === '' && needles.length === 0) return events
  return events.filter(
    (event) => (type === '' || event.type === type) && needles.every((needle) => textOf(event).includes(needle)),
  )
}

/** An event in a few words, for a row of a list. */
function summaryOf(event: Event): string {
  switch (event.type) {
    case 'started':
      return event.agent
    case 'said':
      return wordsOf(event.content)
    case 'drafted':
      return event.text || event.reasoning
    case 'thought':
      return event.error?.message ?? event.parts.map(partWords).filter(Boolean).join(' ')
    case 'called':
      return event.call
    case 'observed':
      return event.error ? `${event.call} failed: ${event.error.message}` : event.call
    case 'asked':
      return event.ask.prompt
    case 'replied':
      return JSON.stringify(event.value).slice(0, 80)
    case 'withdrawn':
      return event.ask
    case 'noted':
      return event.key
    case 'amended':
      return event.reason
    case 'rested':
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

type Part = Extract<Event, { type: 'thought' }>['parts'][number]

function partWords(part: Part): string {
  if (part.type === 'text' || part.type === 'reasoning') return part.text
  return part.type === 'tool-call' ? `→ ${part.toolName}` : ''
}
