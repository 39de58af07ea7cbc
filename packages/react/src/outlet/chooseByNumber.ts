import type { KeyboardEvent } from 'react'
import { isTextField } from './isTyping.ts'

/** The keys 1 to 9 choose an option. A button only gets the focus, so that a stray key decides nothing. */
export function chooseByNumber(event: KeyboardEvent<HTMLElement>): void {
  const { key, altKey, ctrlKey, metaKey } = event
  if (!/^[1-9]$/.test(key) || altKey || ctrlKey || metaKey || isTextField(document.activeElement)) return
  const option = event.currentTarget.querySelector<HTMLElement>(`[data-interleave-key="${key}"]`)
  if (!option) return
  event.preventDefault()
  option.focus()
  if (option instanceof HTMLInputElement) option.click()
}
