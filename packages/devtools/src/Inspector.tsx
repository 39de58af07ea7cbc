import type { Agent } from '@interleave/core'
import { type ReactNode, useMemo } from 'react'
import { AskView } from './AskView.tsx'
import { CallView } from './CallView.tsx'
import { EventView } from './EventView.tsx'
import { Icon } from './Icon.tsx'
import { type Item, itemAt } from './itemAt.ts'
import type { EventActions, PanelProps } from './PanelProps.ts'
import type { RunLog } from './runLog.ts'
import { TurnView } from './TurnView.tsx'
import { useRunLog } from './useRunLog.ts'

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
