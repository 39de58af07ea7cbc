import type { Json, UserContent } from '@interleave/core'
import type { EventOf } from '@interleave/core/observe'

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

/** Formats an amount: $0.0012, $12.50. */
export function money(amount: number): string {
  if (amount === 0) return '$0'
  const cents = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
  const digits = { minimumSignificantDigits: 2, maximumSignificantDigits: 2 }
  return `$${amount.toLocaleString('en', amount < 1 ? digits : cents)}`
}

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

/** Formats a call: `search(from: Paris, means: train)`. */
export const calledWords = ({ name, input }: { readonly name: string; readonly input: Json }): string =>
  `${name}(${membersOf(input)})`

/** Formats the result of a call and its time: `search → 3 items · 43 ms`. */
export function observedWords(event: EventOf<'observed'>, { name }: { readonly name: string }): string {
  const { result, output, error, ms } = event
  if (result.type === 'execution-denied') return `${name} was refused${result.reason ? `: ${result.reason}` : ''}`
  if (error) return `${name} failed: ${error.message} · ${duration(ms)}`
  return `${name} → ${brief(output ?? (result.value as Json))} · ${duration(ms)}`
}

const mostMembers = 4

/** Summarizes a value in a few words. */
export function brief(value: Json): string {
  if (Array.isArray(value))
    return value.every(isPlain) && value.length <= mostMembers
      ? value.map(brief).join(', ') || 'nothing'
      : counted(value.length, 'item')
  if (typeof value === 'object' && value !== null) return membersOf(value) || 'nothing'
  return typeof value === 'string' ? value.slice(0, 80).replace(/\s+/g, ' ') : String(value)
}

function membersOf(input: Json): string {
  if (typeof input !== 'object' || input === null || Array.isArray(input)) return brief(input)
  const members = Object.entries(input).map(([name, value = null]) => [name, value] as const)
  const words = members
    .slice(0, mostMembers)
    .map(([name, value]) => `${name}: ${isPlain(value) || Array.isArray(value) ? brief(value) : '{…}'}`)
  return [...words, ...(members.length > mostMembers ? ['…'] : [])].join(', ')
}

const isPlain = (value: Json): boolean => typeof value !== 'object' || value === null
