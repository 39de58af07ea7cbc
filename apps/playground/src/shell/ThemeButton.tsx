import { type LucideIcon, Moon, Sun, SunMoon } from 'lucide-react'
import { usePage, usePlayground } from '../run/usePlayground.ts'
import { type Theme, themes } from './Settings.ts'

const icons: Readonly<Record<Theme, LucideIcon>> = { system: SunMoon, light: Sun, dark: Moon }
const words: Readonly<Record<Theme, string>> = { system: 'System', light: 'Light', dark: 'Dark' }

/** The theme of the system, light or dark: each press takes the next. */
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
