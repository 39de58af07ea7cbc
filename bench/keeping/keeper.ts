import type { Event } from '@interleave/core'
import type { Durability } from '@interleave/core/journal'

/** Something that keeps logs of runs: ours, or the least that does the same. */
export interface Keeper {
  /** Begins a log. The function it returns writes what was emitted in one go, and resolves when it is safe. */
  begin(runId: string, durability: Durability): Promise<Append>
  /** Makes a run that was kept ready to go on. */
  resume(runId: string): Promise<Resumed>
}

export type Append = (events: readonly Event[]) => void | PromiseLike<void>

export interface Resumed {
  readonly ms: number
  /** The parts of it that can be told apart, in milliseconds. */
  readonly parts: Readonly<Record<string, number>>
}
