import { useInsertionEffect, useRef } from 'react'
import { useLatest } from './useLatest.ts'

/**
 * Calls back when the component is removed for good. Other effects end too when it is only hidden, as by `<Activity>`, and
 * begin again at once under StrictMode and after a hot reload; this one looks a moment later whether it did.
 */
export function useRemoval(callback: () => void): void {
  const latest = useLatest(callback)
  const isHere = useRef(false)
  useInsertionEffect(() => {
    isHere.current = true
    return () => {
      isHere.current = false
      queueMicrotask(() => {
        if (!isHere.current) latest.current()
      })
    }
  }, [latest])
}
