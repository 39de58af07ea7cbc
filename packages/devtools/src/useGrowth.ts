import { nextFrame, useDrawEffect } from '@interleave/react/internal'
import { type RefObject, useEffect, useReducer } from 'react'
import type { Scale } from './scaleOf.ts'
import type { Timeline } from './timelineOf.ts'

/** After this long without an event, a run no longer counts as running. */
const staleAfterMs = 15 * 60_000

/**
 * Lets what has not ended grow, by custom properties of an element: nothing is rendered for it. `--now` is where time has come
 * to, `--span` how long the whole is. Gives where time is at this rendering; there is a new one each second.
 */
export function useGrowth(
  element: RefObject<HTMLElement | null>,
  { timeline, scale }: { readonly timeline: Timeline; readonly scale: Scale },
): number {
  const { end, isWorking } = timeline
  const grows = isWorking && Date.now() - end < staleAfterMs
  const now = (): number => (grows ? Math.max(end, Date.now()) : end)
  const room = timeline.rows.some((row) => row.end === undefined) && !isWorking ? 1.06 : 1

  useDrawEffect(() => {
    const draw = (): void => {
      const at = scale.shown(now())
      const span = Math.max(scale.span, at) * room
      element.current?.style.setProperty('--now', `${room > 1 ? span : at}`)
      element.current?.style.setProperty('--span', `${span}`)
    }
    draw()
    if (!grows) return
    const frame = isCalm() ? eachSecond : nextFrame
    let cancel = frame(function again() {
      draw()
      cancel = frame(again)
    })
    return () => cancel()
  })

  const [, renderAgain] = useReducer((times: number) => times + 1, 0)
  useEffect(() => {
    if (!grows) return
    const timer = setInterval(renderAgain, 1_000)
    return () => clearInterval(timer)
  }, [grows])
  return now()
}

const isCalm = (): boolean => typeof matchMedia === 'function' && matchMedia('(prefers-reduced-motion: reduce)').matches

const eachSecond = (callback: () => void): (() => void) => {
  const timer = setTimeout(callback, 1_000)
  return () => clearTimeout(timer)
}
