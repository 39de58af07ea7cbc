import type { RunStatus } from '@interleave/react'

export { count, counted, duration, money } from '@interleave/devtools/internal'

/** 3.2 MB, 812 kB */
export function bytes(number: number): string {
  const power = number >= 1e9 ? 3 : number >= 1e6 ? 2 : 1
  const amount = number / 1_000 ** power
  return `${amount < 10 ? amount.toFixed(1) : Math.round(amount)} ${['kB', 'MB', 'GB'][power - 1]}`
}

// Made once: a formatter costs more than what it formats, and a list has many times.
const timeOf = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const dayOf = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })
const dayWithYearOf = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

/** Returns a moment in its shortest form: a time of today, a day of this year, or a day with its year. */
export function whenWords(at: number, now: Date): string {
  const then = new Date(at)
  if (Number.isNaN(then.getTime())) return ''
  if (then.toDateString() === now.toDateString()) return timeOf.format(then)
  return (then.getFullYear() === now.getFullYear() ? dayOf : dayWithYearOf).format(then)
}

export type StateWord = 'idle' | 'working' | 'needs you' | 'done' | 'failed' | 'stopped'

/** Returns the status of a run, in a word. */
export function stateWord({ status, signal }: RunStatus): StateWord {
  if (status === 'waiting') return 'needs you'
  if (status !== 'settled') return status
  return signal.type === 'answer' ? 'done' : signal.type
}

/** Makes the first letter a capital. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The name of a tool in words: `searchConnections` is "Search connections". */
export function toolWords(tool: string): string {
  const words = tool
    .replace(/[_-]+/g, ' ')
    .replace(/(?<=[a-z])(?=[A-Z])/g, ' ')
    .toLowerCase()
  return capital(words)
}
