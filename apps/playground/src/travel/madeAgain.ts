import type { Event, RunState } from '@interleave/core'
import { fold } from '@interleave/core/observe'
import { toolWords } from '../panels/toolWords.ts'
import { counted, duration } from '../parts/wording.ts'
import { toolOf } from './editable.ts'

/** Describes what a fork from an event does again. */
export function madeAgain(events: readonly Event[], at: number): string {
  const after = events.filter(({ seq }) => seq > at)
  const thoughts = after.flatMap((event) => (event.type === 'thought' ? [event] : []))
  const calls = after.flatMap((event) => (event.type === 'called' ? [toolWords(toolOf(events, event.call))] : []))
  if (thoughts.length === 0 && calls.length === 0) return nothingAfter(fold(events.slice(0, at + 1)))
  const ms = thoughts.reduce((sum, thought) => sum + thought.ms, 0)
  const parts = [
    ...(thoughts.length > 0 ? [`${counted(thoughts.length, 'model call')} (${duration(ms)})`] : []),
    ...(calls.length > 0 ? [`${counted(calls.length, 'tool call')} (${listOf(calls)})`] : []),
  ]
  return `After this, ${parts.join(' and ')} followed. The new run makes its own.`
}

const nothingAfter = ({ rest }: RunState): string =>
  rest
    ? 'No call is made again: the new run rests here too, until it is told something.'
    : 'The new run goes on from here at once.'

/** Each once, with how often it is there. */
function listOf(names: readonly string[]): string {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].map(([name, times]) => (times === 1 ? name : `${name} ${times} times`)).join(', ')
}
