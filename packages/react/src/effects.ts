import { type RefObject, useEffect, useInsertionEffect, useLayoutEffect, useRef } from 'react'

/**
 * Returns a ref to the latest render's value, for functions that are called later, including effects of children, which
 * run before the parent's.
 */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value)
  useInsertionEffect(() => {
    latest.current = value
  })
  return latest
}

/**
 * An effect before the browser paints. A server paints nothing, and React 18 warns there of an effect that will not
 * run.
 */
export const useDrawEffect: typeof useLayoutEffect = typeof document === 'undefined' ? useEffect : useLayoutEffect
