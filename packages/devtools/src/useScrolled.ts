import { type RefObject, useCallback, useEffect, useState } from 'react'

/** The visible part of a list with rows of equal height. */
export interface Seen {
  /** The first row, and the one after the last, a few more than fit. */
  readonly from: number
  readonly to: number
}

export interface RowsOptions {
  readonly count: number
  /** In pixels. */
  readonly rowHeight: number
  /** The height above the rows inside the scroll container, in pixels. */
  readonly above?: number
}

const spare = 8
/** Where nothing is laid out, as on a server. */
const usualHeight = 600

/** Which rows of a long list are to be rendered, as it scrolls and changes its size. */
export function useScrolled(scroller: RefObject<HTMLElement | null>, options: RowsOptions): Seen {
  const { count, rowHeight, above = 0 } = options
  const [place, setPlace] = useState({ top: 0, height: usualHeight })
  const look = useCallback(() => {
    const { scrollTop = 0, clientHeight = 0 } = scroller.current ?? {}
    // By steps of some rows, so that not every pixel renders anew.
    const step = rowHeight * (spare / 2)
    const next = { top: Math.floor(scrollTop / step) * step, height: clientHeight || usualHeight }
    setPlace((before) => (before.top === next.top && before.height === next.height ? before : next))
  }, [scroller, rowHeight])
  useEffect(() => {
    const element = scroller.current
    if (!element) return
    look()
    element.addEventListener('scroll', look, { passive: true })
    const sizes = typeof ResizeObserver === 'function' ? new ResizeObserver(look) : undefined
    sizes?.observe(element)
    return () => {
      element.removeEventListener('scroll', look)
      sizes?.disconnect()
    }
  }, [scroller, look])
  const first = Math.floor((place.top - above) / rowHeight) - spare
  const last = Math.ceil((place.top + place.height) / rowHeight) + spare * 1.5
  return { from: Math.max(0, Math.min(first, count - 1)), to: Math.min(count, last) }
}
