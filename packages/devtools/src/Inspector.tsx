import type { Agent } from '@interleave/core'
import { type ReactNode, useMemo } from 'react'
import { CallView } from './CallView.tsx'
import { type AskItem, type EventItem, type Item, itemAt } from './itemAt.ts'
import { type EventActions, Facts, FailureNote, Icon, JsonText, type PanelProps } from './parts.tsx'
import type { RunLog } from './runLog.ts'
import { stateTab, Tabs } from './Tabs.tsx'
import { TurnView } from './TurnView.tsx'
import { useRunLog } from './useRunLog.ts'
import { duration, wordsOf } from './wording.ts'

export interface InspectorProps extends PanelProps {
  /** Makes the exact prompt of a turn again. Without it, what the log has of the prompt is shown. */
  readonly agent?: Agent | undefined
  readonly actions?: EventActions | undefined
}

/** Everything about the event that is selected: the turn, call or question that it belongs to, and the event itself. */
export function Inspector({ run, selected, onSelect, agent, actions }: InspectorProps): ReactNode {
  const log = useRunLog(run)
  const item = useMemo(() => (selected === undefined ? undefined : itemAt(log, selected)), [log, selected])
  if (!item || selected === undefined) return null
  const event = log.events[selected]
  const heading = headingOf(item)
  return (
    <section
      data-interleave="devtools"
      data-part="inspector"
      data-kind={item.type}
      aria-label={`Inspector: ${heading}`}
    >
      <header>
        <h3>{heading}</h3>
        <span data-part="seq">{event ? `event ${event.seq}` : 'streaming'}</span>
        {onSelect && (
          <button
            type="button"
            data-part="button"
            data-quiet
            aria-label="Close the inspector"
            onClick={() => onSelect(undefined)}
          >
            <Icon name="close" />
          </button>
        )}
      </header>
      {bodyOf(item, { run, log, agent, seq: selected })}
      {event && actions && <footer data-part="actions">{actions(event)}</footer>}
    </section>
  )
}

function headingOf(item: Item): string {
  switch (item.type) {
    case 'turn':
      return `Turn ${item.iteration}`
    case 'call':
      return item.call.name
    case 'ask':
      return 'Question'
    case 'event':
      return item.event.type
  }
}

interface Around extends Pick<InspectorProps, 'run' | 'agent'> {
  readonly log: RunLog
  readonly seq: number
}

function bodyOf(item: Item, { run, log, agent, seq }: Around): ReactNode {
  switch (item.type) {
    case 'turn':
      return <TurnView item={item} run={run} log={log} agent={agent} />
    case 'call':
      return <CallView item={item} log={log} seq={seq} />
    case 'ask':
      return <AskView item={item} log={log} seq={seq} />
    case 'event':
      return <EventView item={item} log={log} />
  }
}

export interface WithInspectorProps extends InspectorProps {
  /** The part that selects events, such as a timeline. */
  readonly children: ReactNode
}

/**
 * Combines a part of the devtools with an inspector of the selected event: below it, or next to it if there is room.
 */
export const WithInspector = ({ children, ...props }: WithInspectorProps): ReactNode => (
  <div data-interleave="devtools" data-part="beside">
    {children}
    <Inspector {...props} />
  </div>
)

/** An event of the log, and the state after it. */
function EventView({ item: { event }, log }: { item: EventItem; log: RunLog }): ReactNode {
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

interface AskViewProps {
  readonly item: AskItem
  readonly log: RunLog
  /** Of the event that is selected. */
  readonly seq: number
}

/** A question for a user and its reply. */
function AskView({ item: { asked, events }, log, seq }: AskViewProps): ReactNode {
  const { ask } = asked
  const { prompt, kind, id, call, from, ...details } = ask
  const end = events[1]
  return (
    <>
      <Facts
        facts={{
          Kind: kind,
          Waited: end ? duration(end.at - asked.at) : 'still waiting',
          'Asked by': from ? `${from.agent}, in ${from.runId}` : call && <code>{call}</code>,
        }}
      />
      <Tabs
        label="Parts of the question"
        tabs={[
          {
            id: 'output',
            title: 'Question and reply',
            content: () => (
              <div data-part="stack">
                <h4>Question</h4>
                <JsonText value={prompt} label="The question" />
                <JsonText value={details} label="What can be replied" />
                {end && <h4>{end.type === 'replied' ? 'Reply' : 'Withdrawn'}</h4>}
                {end?.type === 'replied' && <JsonText value={end.value} label="The reply" />}
              </div>
            ),
          },
          stateTab(log, seq),
          { id: 'raw', title: 'Raw', content: () => <JsonText value={events} label={`Events of ${id} as JSON`} /> },
        ]}
      />
    </>
  )
}
