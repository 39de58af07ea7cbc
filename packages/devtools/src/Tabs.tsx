import { fold } from '@interleave/core/internal'
import { type KeyboardEvent, type ReactNode, useId, useMemo, useState } from 'react'
import { JsonText } from './parts.tsx'
import type { RunLog } from './runLog.ts'

export interface Tab {
  readonly id: string
  readonly title: string
  /** Renders the panel; called only for the selected tab. */
  readonly content: () => ReactNode
}

export interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
}

/** Shows tabs with arrow keys. The first one is selected by default; the selection stays when the tabs change. */
export function Tabs({ label, tabs }: TabsProps): ReactNode {
  const [selected, select] = useState<string>()
  const base = useId()
  const current = tabs.find(({ id }) => id === selected) ?? tabs[0]

  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const next = step && tabs.at(((current ? tabs.indexOf(current) : 0) + step) % tabs.length)
    if (!next) return
    event.preventDefault()
    select(next.id)
    document.getElementById(`${base}${next.id}`)?.focus()
  }
  return (
    <div data-part="tabs">
      <div role="tablist" aria-label={label} onKeyDown={onKeyDown}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${base}${tab.id}`}
            aria-selected={tab === current}
            aria-controls={`${base}panel`}
            tabIndex={tab === current ? 0 : -1}
            onClick={() => select(tab.id)}
          >
            {tab.title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}panel`} aria-labelledby={current && `${base}${current.id}`}>
        {current?.content()}
      </div>
    </div>
  )
}

/** Creates the tab with the state after an event. */
export const stateTab = (log: RunLog, seq: number): Tab => ({
  id: 'state',
  title: 'State after it',
  content: () => <StateAfter seq={seq} log={log} />,
})

function StateAfter({ seq, log }: { readonly seq: number; readonly log: RunLog }): ReactNode {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same event has the same events before it, and later ones change nothing.
  const state = useMemo(() => fold(log.events.slice(0, seq + 1)), [log.events[seq]])
  return <JsonText value={state} label={`State after event ${seq} as JSON`} />
}

/** Creates the tab with a value as JSON. */
export const rawTab = (value: unknown, label: string): Tab => ({
  id: 'raw',
  title: 'Raw',
  content: () => <JsonText value={value} label={`${label} as JSON`} />,
})
