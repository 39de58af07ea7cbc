import { useEffect, useRef } from 'react'
import { count } from '../parts/wording.ts'

export interface EarlierProps {
  /** How many messages are left out. */
  readonly hidden: number
  readonly onMore: () => void
}

/** Stands for what was said long before. More of it is drawn when this comes into view, or by the button. */
export function Earlier({ hidden, onMore }: EarlierProps) {
  const item = useRef<HTMLLIElement>(null)

  useEffect(() => {
    const element = item.current
    if (!element || typeof IntersectionObserver === 'undefined') return
    const observer = new IntersectionObserver(([entry]) => entry?.isIntersecting && onMore())
    observer.observe(element)
    return () => observer.disconnect()
  }, [onMore])

  return (
    <li ref={item} className="earlier">
      <button type="button" className="button" onClick={onMore}>
        Show earlier messages ({count(hidden)})
      </button>
    </li>
  )
}
