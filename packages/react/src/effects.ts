import { type RefObject, useEffect, useInsertionEffect, useLayoutEffect, useRef } from 'react'

/** Returns a ref to the latest render's value, for functions that are called later. */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value)
  useInsertionEffect(() => {
    latest.current = value
  })
  return latest
}

/** Runs an effect before the browser paints. A server paints nothing, and React 18 warns about it there. */
export const useDrawEffect: typeof useLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect
