/**
 * Focuses a field anew. A dialog that closes gives the focus back, but once the field that had it in there is removed, Chromium
 * takes no more letters in the one that has it now.
 */
export function refocus(): void {
  const active = document.activeElement
  if (!(active instanceof HTMLTextAreaElement || active instanceof HTMLInputElement)) return
  active.blur()
  active.focus({ preventScroll: true })
}
