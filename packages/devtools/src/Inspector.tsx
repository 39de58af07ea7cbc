import type { Agent } from '@interleave/core'
import { type ReactNode, useMemo } from 'react'
import { CallView, type CallViewProps } from './CallView.tsx'
import { type AskItem, type EventItem, type Item, itemAt } from './itemAt.ts'
import { Button, type EventActions, Facts, FailureNote, Icon, JsonText, type PanelProps, shownText } from './parts.tsx'
import type { RunLog } from './runLog.ts'
import { rawTab, stateTab, Tabs } from './Tabs.tsx'
import { TurnView } from './TurnView.tsx'
import { useRunLog } from './useRunLog.ts'
import { duration, textOf } from './wording.ts'

export interface InspectorProps extends PanelProps {
  /** Recomputes the exact prompt of a turn. Without it, only the messages of the log are shown. */
  readonly agent?: Agent | undefined
  readonly actions?: EventActions | undefined
}

/** Shows the selected event with its turn, tool call or question. Renders nothing if none is selected. */
export function Inspector({ run, selected, onSelect, agent, actions }: InspectorProps): ReactNode {
  const log = useRunLog(run)
  const item = useMemo(() => (selected === undefined ? undefined : itemAt(log, selected)), [log, selected])
  if (!item || selected === undefined) return null
  const event = log.events[selected]
  const heading = headingOf(item)
  const close = (button: Element): void => {
    // The button goes, and the keyboard would begin again at the top of the page.
    button.closest('[data-part="beside"]')?.querySelector<HTMLElement>(selectedRow)?.focus()
    onSelect?.(undefined)
  }
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
          <Button isQuiet aria-label="Close the inspector" onClick={({ currentTarget }) => close(currentTarget)}>
            <Icon name="close" />
          </Button>
        )}
      </header>
      {item.type === 'turn' && <TurnView item={item} run={run} log={log} agent={agent} />}
      {item.type === 'call' && <CallView item={item} log={log} seq={selected} />}
      {item.type === 'ask' && <AskView item={item} log={log} seq={selected} />}
      {item.type === 'event' && <EventView item={item} log={log} />}
      {event && actions && <footer data-part="actions">{actions(event)}</footer>}
    </section>
  )
}

const selectedRow = '[role="option"][aria-selected="true"], [aria-current] button'

function headingOf(item: Item): string {
  switch (item.type) {
    case 'turn':
      return `Turn ${item.iteration}`
    case 'call':
      return shownText(item.call.name)
    case 'ask':
      return 'Question'
    case 'event':
      return item.event.type
  }
}

export interface WithInspectorProps extends InspectorProps {
  /** The part that selects events, such as a timeline. */
  readonly children: ReactNode
}

/** Combines a part of the devtools with an inspector of the selected event. */
export const WithInspector = ({ children, ...props }: WithInspectorProps): ReactNode => (
  <div data-interleave="devtools" data-part="beside">
    {children}
    <Inspector {...props} />
  </div>
)

/** Shows an event of the log, and the state after it. */
function EventView({ item: { event }, log }: { readonly item: EventItem; readonly log: RunLog }): ReactNode {
  const startedAt = log.events[0]?.at ?? event.at
  const label = `Event ${event.seq}`
  return (
    <>
      <Facts facts={{ Time: new Date(event.at).toLocaleString(), 'After start': duration(event.at - startedAt) }} />
      {event.type === 'said' && <JsonText value={textOf(event.content)} label="The message" />}
      {event.type === 'settled' && event.signal.type === 'failed' && <FailureNote error={event.signal.error} />}
      <Tabs label="Parts of the event" tabs={[{ ...rawTab(event, label), title: 'Event' }, stateTab(log, event.seq)]} />
    </>
  )
}

/** Shows a question for a user and its reply. */
function AskView({ item, log, seq }: Omit<CallViewProps, 'item'> & { readonly item: AskItem }): ReactNode {
  const { asked, events } = item
  const { prompt, kind, id, call, from, ...details } = asked.ask
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
                <JsonText value={details} label="Options of the question" />
                {end && <h4>{end.type === 'replied' ? 'Reply' : 'Withdrawn'}</h4>}
                {end?.type === 'replied' && end.prompt !== undefined && (
                  <JsonText value={end.prompt} label="The approved prompt" />
                )}
                {end?.type === 'replied' && <JsonText value={end.value} label="The reply" />}
              </div>
            ),
          },
          stateTab(log, seq),
          rawTab(events, `Events of ${id}`),
        ]}
      />
    </>
  )
}
