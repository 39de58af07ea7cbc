import { type RefObject, useInsertionEffect, useRef } from 'react'

/** What the latest render was given, for functions that are called later: also by effects of children, which come before one's own. */
export function useLatest<T>(value: T): Readonly<RefObject<T>> {
  const latest = useRef(value)
  useInsertionEffect(() => {
    latest.current = value
  })
  return latest
}
