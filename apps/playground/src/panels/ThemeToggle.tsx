import { Moon, Sun } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'

const key = 'theme'
const systemDark = (): MediaQueryList => matchMedia('(prefers-color-scheme: dark)')

/** Light or dark: as the system is, until the user says otherwise. */
export function ThemeToggle() {
  const isSystemDark = useSyncExternalStore(followSystem, () => systemDark().matches)
  const [chosen, choose] = useState(() => apply(recall()))
  const isDark = chosen ? chosen === 'dark' : isSystemDark
  const toggle = (): void => {
    const next = isDark ? 'light' : 'dark'
    remember(next)
    choose(apply(next))
  }
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={isDark ? 'Use light colours' : 'Use dark colours'}
      onClick={toggle}
    >
      {isDark ? <Sun aria-hidden /> : <Moon aria-hidden />}
    </button>
  )
}

function followSystem(listener: () => void): () => void {
  const query = systemDark()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

function apply(theme: string | null): string | null {
  if (theme) document.documentElement.dataset.theme = theme
  return theme
}

// A browser may refuse storage altogether; the theme is then the system's at each visit.
function recall(): string | null {
  try {
    return localStorage.getItem(key)
  } catch {
    return null
  }
}

function remember(theme: string): void {
  try {
    localStorage.setItem(key, theme)
  } catch {}
}
