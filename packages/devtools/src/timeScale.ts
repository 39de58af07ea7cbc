import type { Gap, Timeline } from './timelineOf.ts'

/** Maps moments to positions on the timeline. Long idle periods are shortened. */
export interface Scale {
  /** The length of the timeline, in displayed milliseconds. */
  readonly span: number
  /** From 0, in milliseconds as they are shown. Never goes back. After the end, time goes as it does. */
  shown(at: number): number
  /** The shortened periods and their positions. */
  readonly gaps: readonly ShownGap[]
}

export interface ShownGap {
  readonly gap: Gap
  readonly from: number
  readonly to: number
}

/** A gap takes at most this part of the time in which there was work. */
const share = 0.08
/** And not less than this, if it was as long. */
const leastMs = 200

export function scaleOf({ start, end, gaps: given }: Pick<Timeline, 'start' | 'end' | 'gaps'>): Scale {
  const gaps = apart(given, { start, end })
  const rested = gaps.reduce((sum, gap) => sum + gap.end - gap.start, 0)
  const most = Math.max(leastMs, (end - start - rested) * share)
  let saved = 0
  const shownGaps = gaps.map((gap) => {
    const from = gap.start - start - saved
    const length = Math.min(gap.end - gap.start, most)
    saved += gap.end - gap.start - length
    return { gap, from, to: from + length }
  })
  const shown = (at: number): number => {
    const after = shownGaps.findLast(({ gap }) => gap.start <= at)
    if (!after) return Math.max(0, at - start)
    const { gap, from, to } = after
    if (at >= gap.end) return to + at - gap.end
    return from + ((at - gap.start) / (gap.end - gap.start)) * (to - from)
  }
  return { span: Math.max(1, shown(end)), shown, gaps: shownGaps }
}

/** In order, within the whole, and none over another: clocks of several places may differ. */
function apart(gaps: readonly Gap[], { start, end }: Pick<Timeline, 'start' | 'end'>): readonly Gap[] {
  const kept: Gap[] = []
  for (const gap of gaps.toSorted((a, b) => a.start - b.start)) {
    const from = Math.max(gap.start, kept.at(-1)?.end ?? start)
    const to = Math.min(gap.end, end)
    if (to > from) kept.push({ ...gap, start: from, end: to })
  }
  return kept
}

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
