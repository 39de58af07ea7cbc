import type { Event, RunState } from '@interleave/core'
import { openCalls } from '@interleave/core/steps'
import type { Mark } from '../shell/Marks.ts'

/** The stage of the guided run. */
export type Stage = 'working' | 'asking' | 'approving' | 'paying' | 'over'

export function stageOf(state: RunState): Stage {
  if (state.asks.some(({ kind }) => kind === 'approval')) return 'approving'
  if (state.asks.length > 0) return 'asking'
  if (state.rest) return 'over'
  return openCalls(state).some(({ name, calledAt }) => name === 'book' && calledAt !== undefined) ? 'paying' : 'working'
}

/** The steps that a visitor has tried. */
export interface Tried {
  readonly answered: boolean
  readonly changed: boolean
  readonly killed: boolean
  readonly sawCode: boolean
  readonly sawTest: boolean
}

export function triedIn(events: readonly Event[], { kill, sawCode, sawTest }: Mark = {}): Tried {
  const questions = new Set(
    events.flatMap((event) => (event.type === 'asked' && event.ask.kind !== 'approval' ? [event.ask.id] : [])),
  )
  return {
    answered: events.some((event) => event.type === 'replied' && questions.has(event.ask)),
    // A call notes its input only if the user changed it.
    changed: events.some((event) => event.type === 'called' && event.input !== undefined),
    killed: kill?.backAt !== undefined,
    sawCode: sawCode === true,
    sawTest: sawTest === true,
  }
}
