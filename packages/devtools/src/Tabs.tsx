import { fold } from '@interleave/core/observe'
import { type KeyboardEvent, type ReactNode, useId, useMemo, useState } from 'react'
import { JsonText } from './parts.tsx'
import type { RunLog } from './runLog.ts'

interface Tab {
  readonly id: string
  readonly title: string
  /** Made when it is shown. */
  readonly content: () => ReactNode
}

interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
  /** Which is shown at first. */
  readonly first?: string
}

/** Tabs that arrow keys walk through. What was chosen stays chosen when other things are shown in them. */
export function Tabs({ label, tabs, first }: TabsProps): ReactNode {
  const [chosen, choose] = useState(first)
  const base = useId()
  const current = tabs.find(({ id }) => id === chosen) ?? tabs[0]

  const walk = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    const next = step && tabs.at((tabs.findIndex(({ id }) => id === current?.id) + step) % tabs.length)
    if (!next) return
    event.preventDefault()
    choose(next.id)
    document.getElementById(`${base}${next.id}`)?.focus()
  }

  return (
    <div data-part="tabs">
      <div role="tablist" aria-label={label} onKeyDown={walk}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${base}${tab.id}`}
            aria-selected={tab === current}
            aria-controls={`${base}panel`}
            tabIndex={tab === current ? 0 : -1}
            onClick={() => choose(tab.id)}
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

/** Shows the state after an event. */
export const stateTab = (log: RunLog, seq: number): Tab => ({
  id: 'state',
  title: 'State after it',
  content: () => <StateAfter seq={seq} log={log} />,
})

function StateAfter({ seq, log }: { seq: number; log: RunLog }): ReactNode {
  // As long as this event is there, so are those before it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what comes later changes nothing of it.
  const state = useMemo(() => fold(log.events.slice(0, seq + 1)), [log.events[seq]])
  return <JsonText value={state} label={`State after event ${seq} as JSON`} />
}
