/** Puts the focus somewhere once the page has drawn what a command changed. */
export function focusOn(selector: string): void {
  requestAnimationFrame(() => document.querySelector<HTMLElement>(selector)?.focus())
}
