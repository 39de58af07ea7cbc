import type { Event } from '@interleave/core'
import { useEffect, useState } from 'react'
import { usePlayground } from '../run/usePlayground.ts'
import { type Speed, waitFor } from './waitFor.ts'

export interface Playback {
  readonly isPlaying: boolean
  readonly speed: Speed
  /** Plays from here, or from the beginning where this is the end; or pauses. */
  toggle(): void
  pause(): void
  setSpeed(speed: Speed): void
}

/** Shows a log again event by event, at its own pace or faster. No model is asked and no tool runs. */
export function usePlayback(events: readonly Event[], at: number): Playback {
  const { travel } = usePlayground()
  const [wantsToPlay, play] = useState(false)
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
    pause: () => play(false),
    toggle() {
      if (!isPlaying && wait === undefined) travel(0)
      play(!isPlaying)
    },
  }
}
