import './topBar.css'
import { Keyboard, Search } from 'lucide-react'
import { KeyCaps } from '../commands/KeyCaps.tsx'
import { usePlayground } from '../run/usePlayground.ts'
import { ThemeButton } from '../shell/ThemeButton.tsx'

/** The name of the page, and the links to everything else. */
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

/** Two strands, interleaved. */
const Logo = () => (
  <svg className="logo" viewBox="0 0 32 32" fill="none" strokeWidth="3.5" strokeLinecap="round" aria-hidden="true">
    <path d="M5 10c6 0 5 12 11 12s5-12 11-12" stroke="var(--accent)" />
    <path d="M5 22c2.6 0 4-2.2 5.2-4.8M13.4 11.6C14.100 10.600 15 10 16 10c6 0 5 12 11 12" stroke="var(--action)" />
  </svg>
)
