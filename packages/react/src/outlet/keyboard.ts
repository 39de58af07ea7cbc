import { type KeyboardEvent as ReactKeyboardEvent, useEffect } from 'react'

/** Chooses an option with the keys 1 to 9. A button only gets the focus, so that a stray key decides nothing. */
export function chooseByNumber(event: ReactKeyboardEvent<HTMLElement>): void {
  const { key, altKey, ctrlKey, metaKey } = event
  if (!/^[1-9]$/.test(key) || altKey || ctrlKey || metaKey || isTextField(document.activeElement)) return
  const option = event.currentTarget.querySelector<HTMLElement>(`[data-interleave-key="${key}"]`)
  if (!option) return
  event.preventDefault()
  option.focus()
  if (option instanceof HTMLInputElement) option.click()
}

/** Calls `onPress`, if given, when keys such as `Control+.` are pressed anywhere in the page. */
export function useShortcut(keys: string | false, onPress: (() => void) | undefined): void {
  useEffect(() => {
    if (!keys || !onPress) return undefined
    const listen = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.repeat || !isPressed(keys, event)) return
      event.preventDefault()
      onPress()
    }
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
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

const textTypes = /^(text|search|email|url|tel|password|number)$/

export function isTextField(element: Element | null): element is HTMLElement {
  if (element instanceof HTMLInputElement) return textTypes.test(element.type)
  return element instanceof HTMLTextAreaElement || (element instanceof HTMLElement && element.isContentEditable)
}

/** Returns true if the user is typing. An empty field that only has the focus does not count. */
export function isTyping(): boolean {
  const active = document.activeElement
  if (!isTextField(active)) return false
  return (active && 'value' in active ? active.value : active?.textContent) !== ''
}
