import type { Scale } from './scaleOf.ts'
import type { Timeline } from './timelineOf.ts'

export interface Tick {
  /** Where, in milliseconds as they are shown. */
  readonly at: number
  /** The time since the run began. */
  readonly label: string
}

/** Returns about this many round times for the axis, none in idle periods. */
export function ticksOf({ start, end }: Pick<Timeline, 'start' | 'end'>, scale: Scale, about: number): readonly Tick[] {
  const step = niceStep(scale.span / about)
  const ticks: Tick[] = []
  let next = start
  for (const { from, to } of workedParts({ start, end }, scale)) {
    next = start + Math.ceil((Math.max(next, from) - start) / step) * step
    for (; next < to; next += step) {
      const at = scale.shown(next)
      // Beside a gap two would stand on each other.
      if (at - (ticks.at(-1)?.at ?? -step) > step * 0.6) ticks.push({ at, label: clock(next - start, step) })
    }
  }
  return ticks
}

interface Part {
  readonly from: number
  readonly to: number
}

function workedParts({ start, end }: Pick<Timeline, 'start' | 'end'>, { gaps }: Scale): readonly Part[] {
  const parts: Part[] = []
  let from = start
  for (const { gap } of gaps) {
    parts.push({ from, to: gap.start })
    from = gap.end
  }
  return [...parts, { from, to: end }]
}

/** 1, 2 or 5 times a power of ten; above a second, of whole seconds, minutes and hours. */
function niceStep(ms: number): number {
  const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000]
  const minute = 60_000
  const long = [1, 2, 5, 10, 15, 30, 60, 120, 360, 720, 1_440].map((minutes) => minutes * minute)
  return [...steps, ...long].find((step) => step >= ms) ?? Math.ceil(ms / (1_440 * minute)) * 1_440 * minute
}

/** 250 ms, 1.5 s, 2:05, 1:02:05 */
function clock(ms: number, step: number): string {
  if (ms < 1_000 && step < 1_000) return `${ms} ms`
  if (ms < 60_000) return step < 1_000 ? `${(ms / 1_000).toFixed(step < 100 ? 2 : 1)} s` : `${ms / 1_000} s`
  const seconds = Math.floor(ms / 1_000)
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const tail = `${padded(seconds % 60)}`
  return hours > 0 ? `${hours}:${padded(minutes)}:${tail}` : `${minutes}:${tail}`
}

const padded = (number: number): string => String(number).padStart(2, '0')
