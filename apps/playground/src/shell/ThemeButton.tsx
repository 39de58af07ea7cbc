import { type LucideIcon, Moon, Sun, SunMoon } from 'lucide-react'
import type { StoreApi } from 'zustand/vanilla'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { type Settings, type Theme, themes } from './Settings.ts'

const icons: Readonly<Record<Theme, LucideIcon>> = { system: SunMoon, light: Sun, dark: Moon }
const words: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' }

/** Shows the theme: system, light or dark. Each press selects the next one. */
export function ThemeButton() {
  const { choose } = usePlayground()
  const theme = usePage((page) => page.settings.theme)
  const next = themes[(themes.indexOf(theme) + 1) % themes.length] ?? 'system'
  const Icon = icons[theme]
  const label = `Theme: ${words[theme]}. Change to ${words[next]}`
  return (
    <button
      type="button"
      className="icon-button theme-button"
      aria-label={label}
      title={label}
      onClick={() => choose({ theme: next })}
    >
      <Icon aria-hidden />
    </button>
  )
}

/** Applies the chosen theme to the page; without a choice, that of the system. */
export function followTheme(store: StoreApi<{ readonly settings: Settings }>, root: HTMLElement): () => void {
  const apply = ({ settings: { theme } }: { readonly settings: Settings }): void => {
    if (theme === 'system') delete root.dataset.theme
    else root.dataset.theme = theme
  }
  apply(store.getState())
  return store.subscribe(apply)
}
