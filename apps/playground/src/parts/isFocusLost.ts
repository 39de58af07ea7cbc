/** Returns true if nothing visible has the focus: its element is gone, or in a pane that is hidden. */
export function isFocusLost(): boolean {
  const active = document.activeElement
  return active === null || active === document.body || !active.checkVisibility()
}
