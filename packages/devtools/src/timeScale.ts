import type { Gap, Timeline } from './timelineOf.ts'

/** Maps moments to positions on the timeline. Long idle periods are shortened. */
export interface Scale {
  /** The length of the timeline, in displayed milliseconds. */
  readonly span: number
  /** Returns the position of a moment, from 0, in displayed milliseconds. It never decreases. */
  readonly positionOf: (at: number) => number
  /** The shortened periods and their positions. */
  readonly gaps: readonly ShownGap[]
}

export interface ShownGap {
  readonly gap: Gap
  readonly from: number
  readonly to: number
}

/** A gap is shown as at most this share of the working time, but not shorter than `leastMs`. */
const share = 0.08
/** All gaps together are shown as at most this share of it: a conversation of days has hundreds. */
const shareOfAll = 0.5
const leastMs = 200

export function scaleOf({ start, end, gaps: unsorted }: Pick<Timeline, 'start' | 'end' | 'gaps'>): Scale {
  const gaps = withoutOverlaps(unsorted, { start, end })
  const idle = gaps.reduce((sum, gap) => sum + gap.end - gap.start, 0)
  const most = Math.max(leastMs, (end - start - idle) * Math.min(share, shareOfAll / gaps.length))
  let saved = 0
  const shownGaps = gaps.map((gap) => {
    const from = gap.start - start - saved
    const length = Math.min(gap.end - gap.start, most)
    saved += gap.end - gap.start - length
    return { gap, from, to: from + length }
  })
  const positionOf = (at: number): number => {
    const after = shownGaps.findLast(({ gap }) => gap.start <= at)
    if (!after) return Math.max(0, at - start)
    const { gap, from, to } = after
    if (at >= gap.end) return to + at - gap.end
    return from + ((at - gap.start) / (gap.end - gap.start)) * (to - from)
  }
  return { span: Math.max(1, positionOf(end)), positionOf, gaps: shownGaps }
}

/** Returns a scale with only the gaps that are wide enough to see: hundreds of narrower ones would hide the bars. */
export const visible = (scale: Scale, zoom: number): Scale => ({
  ...scale,
  gaps: scale.gaps.filter(({ from, to }) => (to - from) * zoom >= scale.span * 0.01),
})

/** Sorts gaps, clips them to the timeline, and removes overlaps: clocks of several hosts may differ. */
function withoutOverlaps(gaps: readonly Gap[], { start, end }: Pick<Timeline, 'start' | 'end'>): readonly Gap[] {
  const sorted: Gap[] = []
  for (const gap of gaps.toSorted((a, b) => a.start - b.start)) {
    const from = Math.max(gap.start, sorted.at(-1)?.end ?? start)
    const to = Math.min(gap.end, end)
    if (to > from) sorted.push({ ...gap, start: from, end: to })
  }
  return sorted
}

export interface Tick {
  /** Its position, in displayed milliseconds. */
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
      const at = scale.positionOf(next)
      // Next to a gap, two could overlap.
      if (at - (ticks.at(-1)?.at ?? -step) > step * 0.6) ticks.push({ at, label: clock(next - start, step) })
    }
  }
  return ticks
}

/** Returns the periods between the gaps. */
function workedParts({ start, end }: Pick<Timeline, 'start' | 'end'>, { gaps }: Scale) {
  const starts = [start, ...gaps.map(({ gap }) => gap.end)]
  return starts.map((from, index) => ({ from, to: gaps[index]?.gap.start ?? end }))
}

const minutes = [1, 2, 5, 10, 15, 30, 60, 120, 360, 720, 1_440].map((count) => count * 60_000)
const steps = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1_000, 2_000, 5_000, 10_000, 15_000, 30_000, ...minutes]
const day = 1_440 * 60_000

/** Rounds up: to 1, 2 or 5 times a power of ten; above a second, to usual numbers of seconds, minutes, hours or days. */
const niceStep = (ms: number): number => steps.find((step) => step >= ms) ?? Math.ceil(ms / day) * day

/** Formats a time: 250 ms, 1.5 s, 2:05, 1:02:05. */
function clock(ms: number, step: number): string {
  if (ms < 1_000 && step < 1_000) return `${ms} ms`
  if (ms < 60_000) return step < 1_000 ? `${(ms / 1_000).toFixed(step < 100 ? 2 : 1)} s` : `${ms / 1_000} s`
  const seconds = Math.floor(ms / 1_000)
  const [hours, minutes] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60]
  const padded = (number: number): string => String(number).padStart(2, '0')
  const hoursAndMinutes = hours > 0 ? `${hours}:${padded(minutes)}` : `${minutes}`
  return `${hoursAndMinutes}:${padded(seconds % 60)}`
}
