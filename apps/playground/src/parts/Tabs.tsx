import { type KeyboardEvent, type ReactNode, useId, useState } from 'react'
import './tabs.css'

export interface Tab {
  readonly id: string
  readonly title: string
  readonly content: ReactNode
}

export interface TabsProps {
  readonly label: string
  readonly tabs: readonly Tab[]
  /** The tab that is shown, if it is controlled from outside. */
  readonly chosen?: string
  readonly onChoose?: (id: string) => void
}

/** Shows tabs with arrow keys, by the ARIA pattern. */
export function Tabs({ label, tabs, chosen: given, onChoose }: TabsProps) {
  const [own, setOwn] = useState(tabs[0]?.id)
  const chosen = given ?? own
  const choose = onChoose ?? setOwn
  const base = useId()
  const current = tabs.find(({ id }) => id === chosen) ?? tabs[0]

  const walk = (event: KeyboardEvent<HTMLElement>): void => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key]
    if (!step) return
    const index = tabs.findIndex(({ id }) => id === current?.id)
    const next = tabs.at((index + step) % tabs.length)
    if (!next) return
    choose(next.id)
    document.getElementById(`${base}-${next.id}`)?.focus()
  }

  return (
    <div className="tabs">
      <div className="tabs-list" role="tablist" aria-label={label} onKeyDown={walk}>
        {tabs.map(({ id, title }) => (
          <button
            key={id}
            type="button"
            role="tab"
            id={`${base}-${id}`}
            aria-selected={id === current?.id}
            aria-controls={`${base}-panel`}
            tabIndex={id === current?.id ? 0 : -1}
            onClick={() => choose(id)}
          >
            {title}
          </button>
        ))}
      </div>
      <div className="tabs-panel" role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${current?.id}`}>
        {current?.content}
      </div>
    </div>
  )
}
