const textTypes = /^(text|search|email|url|tel|password|number)$/

export function isTextField(element: Element | null): boolean {
  if (element instanceof HTMLInputElement) return textTypes.test(element.type)
  return element instanceof HTMLTextAreaElement || (element instanceof HTMLElement && element.isContentEditable)
}

/** Returns true if the user is typing. An empty field that only has the focus does not count. */
export function isTyping(): boolean {
  const active = document.activeElement
  if (!isTextField(active)) return false
  return (active && 'value' in active ? active.value : active?.textContent) !== ''
}
