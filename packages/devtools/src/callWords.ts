import type { Event, Json } from '@interleave/core'
import type { EventOf } from '@interleave/core/observe'
import { stateOf } from './runLog.ts'
import { callsOf } from './timelineRows.ts'
import { counted, duration } from './wording.ts'

/** A tool call by its name and input. */
export interface NamedCall {
  readonly name: string
  readonly input: Json
}

/** Returns the tool calls of a log by their keys. */
export const callsByKey = (events: readonly Event[]): ReadonlyMap<string, NamedCall> =>
  new Map(callsOf(stateOf(events)).map((call) => [call.key, call]))

/** Returns what was called: `search(from: Paris, means: train)`. */
export const calledWords = ({ name, input }: NamedCall): string => `${name}(${membersOf(input)})`

/** Returns the result of a call and its time: `search → 3 items · 43 ms`. */
export function observedWords(event: EventOf<'observed'>, { name }: Pick<NamedCall, 'name'>): string {
  const { result, output, error, ms } = event
  if (result.type === 'execution-denied') return `${name} was refused${result.reason ? `: ${result.reason}` : ''}`
  if (error) return `${name} failed: ${error.message} · ${duration(ms)}`
  return `${name} → ${brief(output ?? (result.value as Json))} · ${duration(ms)}`
}

const mostMembers = 4

/** Returns a value in a few words. */
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
