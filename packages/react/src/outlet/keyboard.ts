import { type KeyboardEvent as ReactKeyboardEvent, useEffect } from 'react'

/** Marks the title of a question that has replaced another, into which a user may still be typing. */
export const replaced = 'data-replaced'

/** Chooses an option with the keys 1 to 9. A button only gets the focus, so that a stray key decides nothing. */
export function chooseByNumber(event: ReactKeyboardEvent<HTMLElement>): void {
  const { key, altKey, ctrlKey, metaKey, nativeEvent } = event
  const number = digitOf(key)
  if (number === undefined || event.defaultPrevented || altKey || ctrlKey || metaKey || nativeEvent.isComposing) return
  const active = focused()
  if (isTextField(active) || active?.hasAttribute(replaced)) return
  const option = event.currentTarget.querySelector<HTMLElement>(`[data-interleave-key="${number}"]`)
  if (!option) return
  event.preventDefault()
  option.focus()
  if (option instanceof HTMLInputElement) option.click()
}

/** Returns the number of a digit key, also of a full-width, an Arabic or a Persian one. */
const digitOf = (key: string): number | undefined =>
  /^[1-9\u0661-\u0669\u06f1-\u06f9\uff11-\uff19]$/.test(key) ? key.charCodeAt(0) % 16 : undefined

/** Chooses the first option, or focuses the first button, with an arrow key on the title. */
export function enterByArrow(event: ReactKeyboardEvent<HTMLElement>): void {
  const { key, altKey, ctrlKey, metaKey } = event
  const title = focused()
  const isArrow = key === 'ArrowDown' && !event.defaultPrevented && !altKey && !ctrlKey && !metaKey
  if (!isArrow || !(title instanceof HTMLHeadingElement) || title.hasAttribute(replaced)) return
  const first = event.currentTarget.querySelector<HTMLElement>('[data-interleave-key]')
  if (!first) return
  event.preventDefault()
  first.focus()
  if (first instanceof HTMLInputElement && first.type === 'radio') first.click()
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

const textTypes = /^(text|search|email|url|tel|password|number|date|time|month|week|datetime-local)$/

export function isTextField(element: Element | null): element is HTMLElement {
  if (element instanceof HTMLInputElement) return textTypes.test(element.type)
  return element instanceof HTMLTextAreaElement || (element instanceof HTMLElement && element.isContentEditable)
}

/**
 * Returns true if the user is typing. An empty field that only has the focus does not count. A frame counts, since its
 * content cannot be read, unless it is an MCP app, where users mostly click.
 */
export function isTyping(): boolean {
  const active = focused()
  if (active instanceof HTMLIFrameElement) return !active.closest('[data-interleave]')
  if (!isTextField(active)) return false
  if (active instanceof HTMLInputElement) return active.value !== '' || active.validity.badInput
  return (active instanceof HTMLTextAreaElement ? active.value : active.textContent) !== ''
}

/** Returns the focused element, also inside of a custom element. */
export function focused(): Element | null {
  let active = document.activeElement
  while (active?.shadowRoot?.activeElement) active = active.shadowRoot.activeElement
  return active
}
