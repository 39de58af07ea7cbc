import type { KeyboardEvent } from 'react'

/** Has the arrow keys, Home and End lead from link to link of a list. */
export function walkLinks(event: KeyboardEvent<HTMLElement>): void {
  if (!(event.target instanceof HTMLAnchorElement)) return
  const links = [...event.currentTarget.querySelectorAll<HTMLAnchorElement>(':scope > li > a')]
  const at = links.indexOf(event.target)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: links.length - 1 }[event.key]
  if (next === undefined) return
  event.preventDefault()
  links[Math.max(0, Math.min(next, links.length - 1))]?.focus()
}
