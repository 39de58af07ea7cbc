import type { Event, RunState } from '@interleave/core'
import { fold } from '@interleave/core/observe'
import { openCalls } from '@interleave/core/steps'
import { counted } from '../parts/wording.ts'
import type { Found } from './finder.ts'

/** Describes what a run was doing when the page resumed it; undefined if it had finished. */
export function foundWords({ events: found, isTakenOver }: Found, events: readonly Event[]): string | undefined {
  const words = wordsOf(found, events)
  return isTakenOver && words !== undefined ? `The other tab is gone: this run works here now. ${words}` : words
}

function wordsOf(found: readonly Event[], events: readonly Event[]): string | undefined {
  const state = fold(found)
  if (found.length === 0) return undefined
  const done = doneWords(found, state)
  if (state.signal?.type === 'inputNeeded') return `Still waits for your answer${done && `: ${done}`}.`
  if (state.signal) return undefined
  const parts = [...(done ? [done] : []), ...openWords(state, events)]
  return `Continued where it was: ${inSentence(parts)}.`
}

function doneWords(found: readonly Event[], { request }: RunState): string {
  const done = found.filter(({ type, seq }) => type === 'observed' && seq > request.seq).length
  return done === 0 ? '' : `${counted(done, 'tool call')} ${done === 1 ? 'was' : 'were'} done already`
}

/** Describes what happens to the interrupted work. */
function openWords(state: RunState, events: readonly Event[]): string[] {
  const open = openCalls(state)
  if (open.length === 0) return ['its last step was started again']
  const isAsked = (call: string): boolean =>
    state.asks.some((ask) => ask.call === call) ||
    events.some((event) => event.type === 'asked' && event.ask.call === call && event.seq >= state.seq)
  const asked = open.filter(({ key }) => isAsked(key)).length
  const again = open.filter(({ key, claimedAt }) => claimedAt !== undefined && !isAsked(key)).length
  return [
    ...calls(asked, ['is asked about', 'are asked about']),
    ...calls(again, ['was started again', 'were started again']),
    ...calls(open.length - asked - again, ['had not started', 'had not started']),
  ]
}

const calls = (number: number, [one, many]: readonly [string, string]): string[] =>
  number === 0 ? [] : [`${counted(number, 'tool call')} ${number === 1 ? one : many}`]

const inSentence = (parts: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(parts)
