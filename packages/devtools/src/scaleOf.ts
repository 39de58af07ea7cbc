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
