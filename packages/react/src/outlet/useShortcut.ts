import { useEffect } from 'react'

/** Calls a function when keys such as `Control+.` are pressed anywhere in the page, as long as there is one. */
export function useShortcut(keys: string | false, onPress: (() => void) | undefined): void {
  useEffect(() => {
    if (!keys || !onPress) return undefined
    const hear = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.repeat || !isPressed(keys, event)) return
      event.preventDefault()
      onPress()
    }
    document.addEventListener('keydown', hear)
    return () => document.removeEventListener('keydown', hear)
  })
}

function isPressed(keys: string, event: KeyboardEvent): boolean {
  const parts = keys.split('+')
  const has = (name: string): boolean => parts.includes(name)
  return (
    event.key.toLowerCase() === parts.at(-1)?.toLowerCase() &&
    event.ctrlKey === has('Control') &&
    event.altKey === has('Alt') &&
    event.metaKey === has('Meta') &&
    event.shiftKey === has('Shift')
  )
}
