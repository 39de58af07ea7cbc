import type { Json } from '../json.ts'
import type { RunContext } from '../run.ts'
import type { AnswerSignal } from '../signal.ts'

/** Where a routed run is: what a reload has to know. Noted in the log with each decision. */
export interface RoutePlace {
  /** The `seq` of the user's message that it is about. */
  readonly request: number
  /** Decisions so far in the whole run. */
  readonly decisions: number
  /** Hand-overs so far for this request. */
  readonly handOvers: number
  /** The agent that has the run, `end` when it is over, or undefined before the first decision. */
  readonly to?: string
  readonly reason?: string
  /** The agent that had the run last. */
  readonly last?: string
  /** The agent's answer. It has then handed the run back. */
  readonly answer?: AnswerSignal
}

/** Two routers in one run have agents of different names, or are one and the same. */
const keyOf = ({ agent }: RunContext): string => `route/${agent.name}`

export function placeOf(run: RunContext): RoutePlace {
  const place = run.state.notes[keyOf(run)] as unknown as RoutePlace | undefined
  return place ?? { request: -1, decisions: 0, handOvers: 0 }
}

export const notePlace = (run: RunContext, place: RoutePlace): void =>
  run.emit({ type: 'noted', key: keyOf(run), value: place as unknown as Json })
