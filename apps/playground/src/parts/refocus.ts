/** Focuses a field again: once the field of a closed dialog is removed, Chromium takes no letters in the focused one. */
export function refocus(): void {
  const active = document.activeElement
  if (!(active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement)) return
  active.blur()
  active.focus({ preventScroll: true })
}
