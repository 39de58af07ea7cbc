import { useEffect, useRef } from 'react'
import { count } from './wording.ts'

export interface EarlierProps {
  /** The number of items that are left out. */
  readonly hidden: number
  /** The plural of an item, such as `messages`. */
  readonly noun: string
  readonly onMore: () => void
}

/** Stands for the earlier items of a long list. More of them are rendered when this comes into view, or by the button. */
export function Earlier({ hidden, noun, onMore }: EarlierProps) {
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
        Show earlier {noun} ({count(hidden)})
      </button>
    </li>
  )
}
