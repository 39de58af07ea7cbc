import { rangeOfLine } from './rangeOfLine.ts'

/** Selects a line of a text area, and scrolls to it, which browsers do not do by themselves. */
export function selectLine(area: HTMLTextAreaElement, line: number): void {
  area.focus()
  area.setSelectionRange(...rangeOfLine(area.value, line))
  const height = Number.parseFloat(getComputedStyle(area).lineHeight)
  area.scrollTop = Math.max(0, (line - 0.5) * height - area.clientHeight / 2)
}
