/** Returns true if nothing visible has the focus: its element was removed, or is in a hidden pane. */
export function isFocusLost(): boolean {
  const active = document.activeElement
  return active === null || active === document.body || !active.checkVisibility()
}

/** Focuses a field again: once the field of a closed dialog is removed, Chromium takes no letters in the focused one. */
export function refocus(): void {
  const active = document.activeElement
  if (!(active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement)) return
  active.blur()
  active.focus({ preventScroll: true })
}

/** Focuses an element once the page has rendered the effect of a command. */
export function focusOn(selector: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus())
}
