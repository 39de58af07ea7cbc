import type { Event, Run, RunState, Signal } from '@interleave/core'
import type { AnyEvent } from '@interleave/core/observe'
import { type EventsOptions, eventsOf, isKept } from '@interleave/core/observe'
import type { RunPlace } from '../runPlace.ts'

/** The cases that every run must pass, by name. Each gets a host of its own, and throws if it fails. */
export type RunCases = Readonly<Record<string, (place: RunPlace) => Promise<void>>>

/** At least 128 random bits, as servers want it. */
export const newId = (): string => crypto.randomUUID()

/** The next rest of a run, which has to be of this type. */
export async function settled<Type extends Signal['type']>(
  run: Run,
  type: Type,
): Promise<Extract<Signal, { readonly type: Type }>> {
  const signal = await run.settled
  if (signal.type === type) return signal as Extract<Signal, { readonly type: Type }>
  throw new Error(`Expected a rest with "${type}", but got ${JSON.stringify(signal).slice(0, 500)}`)
}

/** Resolves once this holds of a run. */
export function until(run: Run, holds: (state: RunState) => unknown): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(late)
      leave()
    }
    const late = setTimeout(() => {
      end()
      reject(new Error(`It does not come to this: ${holds}, but is ${JSON.stringify(run.state).slice(0, 1_000)}`))
    }, 4_000)
    const look = (): void => {
      if (!holds(run.state)) return
      end()
      resolve()
    }
    const leave = run.subscribe(look)
    look()
  })
}

/** Resolves when a run rests so, whatever it rests with before. */
export const untilSettled = (run: Run, type: Signal['type']): Promise<void> =>
  until(run, ({ signal }) => signal?.type === type)

export async function listOf(run: Run, options?: EventsOptions): Promise<readonly AnyEvent[]> {
  const events: AnyEvent[] = []
  for await (const event of eventsOf(run, options)) events.push(event)
  return events
}
export const keptOf = async (run: Run, options?: EventsOptions): Promise<readonly Event[]> =>
  (await listOf(run, options)).filter(isKept)

export const openAsk = ({ state }: Run): string => {
  const [ask] = state.asks
  if (ask) return ask.id
  throw new Error(`There is no open question: ${JSON.stringify(state.signal)}`)
}

/** Lets go of a run, where that can be done. */
export const closeOf = (run: Run): (() => void) | undefined =>
  'close' in run && typeof run.close === 'function' ? () => void (run as Run & { close(): void }).close() : undefined

/** Resolves when the journal has all that is known of a run. */
export async function untilKept({ journal }: Pick<RunPlace, 'journal'>, run: Run): Promise<void> {
  while ((await journal.read(run.id)).length < run.state.seq) await new Promise((resolve) => setTimeout(resolve, 5))
}

export function holds(claim: unknown, what: string): asserts claim {
  if (!claim) throw new Error(`This does not hold: ${what}.`)
}
