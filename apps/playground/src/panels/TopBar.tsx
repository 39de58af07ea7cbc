import { Bot, Keyboard, Search, Workflow } from 'lucide-react'
import { KeyCaps } from '../commands/KeyCaps.tsx'
import { labelOf } from '../models/index.ts'
import { RulesBadge } from '../parts/RulesBadge.tsx'
import { usePage, usePlayground, useShown } from '../run/usePlayground.ts'
import { ThemeButton } from '../shell/ThemeButton.tsx'
import { Logo } from './Logo.tsx'
import './topBar.css'

/** Who this is, the way to everything else, and which model thinks. */
export function TopBar() {
  const { openDialog } = usePlayground()
  return (
    <header className="top-bar">
      <h1>
        <Logo /> Interleave
      </h1>
      <button type="button" className="palette-button" aria-haspopup="dialog" onClick={() => openDialog('palette')}>
        <Search aria-hidden />
        <span className="palette-button-words">Search and commands</span>
        <KeyCaps keys="Mod+K" />
      </button>
      <ModelButton />
      <button
        type="button"
        className="icon-button shortcuts-button"
        aria-haspopup="dialog"
        aria-label="Keyboard shortcuts"
        title="Keyboard shortcuts"
        onClick={() => openDialog('shortcuts')}
      >
        <Keyboard aria-hidden />
      </button>
      <ThemeButton />
    </header>
  )
}

function ModelButton() {
  const { openDialog } = usePlayground()
  const chosen = usePage((page) => page.connection)
  const shown = useShown()
  const connection = shown?.connection ?? chosen
  const isRules = connection.type === 'demo'
  return (
    <div className="model-choice">
      {isRules && <RulesBadge />}
      <button type="button" className="button model-button" aria-haspopup="dialog" onClick={() => openDialog('models')}>
        {isRules ? <Workflow aria-hidden /> : <Bot aria-hidden />}
        <span className="visually-hidden">Model: </span>
        <span className="model-name">{isRules ? 'Demo planner' : labelOf(connection)}</span>
        {shown?.lacksKey && <span className="badge">needs its key</span>}
      </button>
    </div>
  )
}
