/** Whether nothing that can be seen has the focus: what had it is gone, or in a pane that is not shown any more. */
export function isFocusLost(): boolean {
  const active = document.activeElement
  return active === null || active === document.body || !active.checkVisibility()
}
