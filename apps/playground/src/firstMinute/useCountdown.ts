import { useEffect, useState } from 'react'

/** Returns the whole seconds until a time, at least 0. It is 0 without a time. */
export function useCountdown(until = 0): number {
  const [seconds, setSeconds] = useState(() => secondsUntil(until))
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const tick = (): void => {
      const left = secondsUntil(until)
      setSeconds(left)
      if (left > 0) timer = setTimeout(tick, 1_000)
    }
    tick()
    return () => clearTimeout(timer)
  }, [until])
  return seconds
}

const secondsUntil = (until: number): number => Math.max(0, Math.ceil((until - Date.now()) / 1_000))
