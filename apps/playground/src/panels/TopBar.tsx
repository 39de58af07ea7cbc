import { Bot, Workflow } from 'lucide-react'
import { useState } from 'react'
import { labelOf } from '../models/index.ts'
import { RulesBadge } from '../parts/RulesBadge.tsx'
import { usePage, useShown } from '../run/usePlayground.ts'
import { Logo } from './Logo.tsx'
import { ModelDialog } from './ModelDialog.tsx'
import { ThemeToggle } from './ThemeToggle.tsx'
import './topBar.css'

/** Who this is, and which model thinks. */
export function TopBar() {
  const chosen = usePage((page) => page.connection)
  const connection = useShown()?.connection ?? chosen
  const [isOpen, open] = useState(false)
  const isRules = connection.type === 'demo'

  return (
    <header className="top-bar">
      <h1>
        <Logo /> Interleave
      </h1>
      {isRules && <RulesBadge />}
      <button type="button" className="button model-button" aria-haspopup="dialog" onClick={() => open(true)}>
        {isRules ? <Workflow aria-hidden /> : <Bot aria-hidden />}
        <span className="visually-hidden">Model: </span>
        <span className="model-name">{isRules ? 'Demo planner' : labelOf(connection)}</span>
      </button>
      <ThemeToggle />
      <ModelDialog isOpen={isOpen} onClose={() => open(false)} />
    </header>
  )
}
