import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'

export interface Tab {
  readonly id: string
  readonly title: string
  /** Made when it is shown. */
  readonly content: () => ReactNode
}

export interface TabsProps {
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
