import type { Kit } from '../kit.ts'
import { sleep } from '../pace.ts'
import { delta, type Place } from '../work.ts'

/** The model's next turn: a call of the tool, or the answer. The same for every library, in its own types. */
export interface NextTurn {
  readonly id: string
  readonly calls: readonly { readonly id: string; readonly input: string }[]
  /** The pieces of the answer, as they arrive. Empty if the turn has calls. */
  readonly text: AsyncIterable<string> | Iterable<string>
}

/** Decides by the last message alone, as `instantModel` does, and counts the turn. */
export async function nextTurn({ pace, counts }: Kit, place: Place): Promise<NextTurn> {
  counts.turns++
  if (pace.modelMs > 0) await sleep(pace.modelMs)
  const { turn, ...work } = place
  const id = `response-${turn}`
  if (turn >= work.iterations) return { id, calls: [], text: textOf({ pace, counts }, work.deltas) }
  const input = JSON.stringify({ turn: turn + 1, ...work } satisfies Place)
  return {
    id,
    calls: Array.from({ length: work.calls }, (_, call) => ({ id: `call-${turn}-${call}`, input })),
    text: [],
  }
}

async function* textOf({ pace, counts }: Pick<Kit, 'pace' | 'counts'>, deltas: number): AsyncGenerator<string> {
  if (pace.firstDeltaMs > 0) await sleep(pace.firstDeltaMs)
  counts.firstDeltaAt = performance.now()
  for (let i = 0; i < deltas; i++) yield delta
}
