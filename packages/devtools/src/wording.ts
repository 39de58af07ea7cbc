import type { UserContent } from '@interleave/core'

/** Formats a duration: 340 ms, 1.2 s, 2 min 5 s, 3 h 20 min. */
export function duration(ms: number): string {
  if (ms < 999.5) return `${Math.round(ms)} ms`
  if (ms < 59_950) return `${(ms / 1_000).toFixed(1)} s`
  const seconds = Math.round(ms / 1_000)
  if (seconds < 3_600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  const minutes = Math.round(seconds / 60)
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** Formats a number: 1,204. */
export const count = (number: number): string => number.toLocaleString('en')

/** Formats a number with its noun: 1 turn, 2 turns. */
export const counted = (number: number, noun: string): string => `${count(number)} ${noun}${number === 1 ? '' : 's'}`

/** Formats an amount: $0.0012. */
export const money = (amount: number): string => `$${amount === 0 ? '0' : amount.toPrecision(2)}`

/** Formats a cost. A model without a price is not free. */
export function costWords({ cost, unpricedTurns }: { readonly cost: number; readonly unpricedTurns: number }): string {
  if (unpricedTurns === 0) return money(cost)
  return cost === 0 ? 'no price' : `at least ${money(cost)}`
}

/** Returns the text of a message; other parts by their type. */
export const textOf = (content: UserContent): string =>
  typeof content === 'string'
    ? content
    : content.map((part) => (part.type === 'text' ? part.text : `[${part.mediaType}]`)).join(' ')
