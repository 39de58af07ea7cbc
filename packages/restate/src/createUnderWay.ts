import type { Effect, Event } from '@interleave/core'
import { createBegunCalls } from './createBegunCalls.ts'

/** The current work of a run. */
export interface UnderWay {
  /** True if nothing would be lost or repeated by continuing in another invocation now. */
  readonly isNothing: boolean
  /** Returns true if this question has a waiter. */
  waits(ask: string): boolean
  /** Counts an effect for as long as it lasts. */
  during<T>(effect: Effect, work: () => PromiseLike<T>): Promise<T>
  /** These are kept. */
  note(runId: string, events: readonly Event[]): void
}

export function createUnderWay({ onLess }: { readonly onLess: () => void }): UnderWay {
  const effects = new Set<Effect>()
  const begun = createBegunCalls()
  const waitsOf = (): readonly Effect[] => [...effects].filter(({ kind }) => kind === 'wait')
  /** Returns true if an effect only waits for a user, as does the tool that asks. */
  const isIdle = ({ kind, key }: Effect, waits: readonly Effect[]): boolean =>
    kind === 'wait' || waits.some((wait) => wait.key.startsWith(`${key}/`))
  return {
    get isNothing() {
      if (begun.size > 0) return false
      const waits = waitsOf()
      return [...effects].every((effect) => isIdle(effect, waits))
    },
    waits: (ask) => waitsOf().some(({ key }) => key === ask),
    async during(effect, work) {
      effects.add(effect)
      if (effect.kind === 'wait') onLess()
      try {
        return await work()
      } finally {
        effects.delete(effect)
        onLess()
      }
    },
    note: begun.note,
  }
}
