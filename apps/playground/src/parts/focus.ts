/** Returns true if nothing visible has the focus: its element is gone, or in a pane that is hidden. */
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

/** Puts the focus somewhere once the page has drawn what a command changed. */
export function focusOn(selector: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus())
}
