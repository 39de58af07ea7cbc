/** Returns true if nothing visible has the focus: its element was removed, or is in a hidden pane. */
export function isFocusLost(): boolean {
  const active = document.activeElement
  return active === null || active === document.body || !active.checkVisibility()
}

/** Focuses an element once the page has rendered the effect of a command. */
export function focusOn(selector: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus())
}
