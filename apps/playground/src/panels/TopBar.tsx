import { Bot, Cloud, Keyboard, Search, Workflow } from 'lucide-react'
import { KeyCaps } from '../commands/KeyCaps.tsx'
import { labelOf } from '../models/index.ts'
import { RulesBadge } from '../parts/RulesBadge.tsx'
import { usePage, usePlayground, useShown } from '../run/usePlayground.ts'
import { ThemeButton } from '../shell/ThemeButton.tsx'
import { isServed } from '../workers/Place.ts'
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
  const next = usePage((page) => page.place)
  const shown = useShown()
  const isThere = isServed(shown?.place ?? next)
  const connection = shown?.connection ?? chosen
  const isRules = connection.type === 'demo'
  const Icon = isThere ? Cloud : isRules ? Workflow : Bot
  return (
    <div className="model-choice">
      {isRules && !isThere && <RulesBadge />}
      <button type="button" className="button model-button" aria-haspopup="dialog" onClick={() => openDialog('models')}>
        <Icon aria-hidden />
        <span className="visually-hidden">Model: </span>
        <span className="model-name">
          {isThere ? 'Server’s model' : isRules ? 'Demo planner' : labelOf(connection)}
        </span>
        {shown?.lacksKey && !isThere && <span className="badge">needs its key</span>}
      </button>
    </div>
  )
}
