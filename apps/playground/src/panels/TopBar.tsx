import { Keyboard, Search } from 'lucide-react'
import { KeyCaps } from '../commands/KeyCaps.tsx'
import { usePlayground } from '../run/usePlayground.ts'
import { ThemeButton } from '../shell/ThemeButton.tsx'
import { Logo } from './Logo.tsx'
import './topBar.css'

/** Who this is, and the way to everything else. */
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
