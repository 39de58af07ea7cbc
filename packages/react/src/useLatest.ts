import { type RefObject, useInsertionEffect, useRef } from 'react'

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
