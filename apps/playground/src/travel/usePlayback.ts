import type { Event } from '@interleave/core'
import { useEffect, useState } from 'react'
import { usePlayground } from '../run/usePlayground.ts'

/** The longest wait of a replay. In the log, users may have thought for minutes, and pages slept for days. */
const longestMs = 3_000
/** The shortest wait of a replay, so that simultaneous events are shown one after the other. */
const shortestMs = 40

export const speeds = [1, 4, 16] as const
type Speed = (typeof speeds)[number]

/** Returns the milliseconds that a replay waits after an event; undefined at the end. */
export function waitFor(events: readonly Event[], at: number, speed: Speed): number | undefined {
  const [event, next] = [events[at], events[at + 1]]
  if (!event || !next) return undefined
  return Math.max(shortestMs, Math.min(longestMs, next.at - event.at) / speed)
}

export interface Playback {
  readonly isPlaying: boolean
  readonly speed: Speed
  /** Plays from here, or from the beginning if this is the end. If it plays, pauses. */
  toggle(): void
  pause(): void
  setSpeed(speed: Speed): void
}

/** Shows a log again event by event, at its own pace or faster. No model is asked and no tool runs. */
export function usePlayback(events: readonly Event[], at: number): Playback {
  const { travel } = usePlayground()
  const [wantsToPlay, setWantsToPlay] = useState(false)
  const [speed, setSpeed] = useState<Speed>(1)
  const wait = waitFor(events, at, speed)
  const isPlaying = wantsToPlay && wait !== undefined

  useEffect(() => {
    if (!isPlaying) return
    const timer = setTimeout(() => travel(at + 1), wait)
    return () => clearTimeout(timer)
  }, [isPlaying, wait, at, travel])

  return {
    isPlaying,
    speed,
    setSpeed,
    pause: () => setWantsToPlay(false),
    toggle() {
      if (!isPlaying && wait === undefined) travel(0)
      setWantsToPlay(!isPlaying)
    },
  }
}
