import { type RefObject, useEffect } from 'react'

/** Keeps the selection in view if the chart is wider than its container. `at` is its start, from 0 to 1. */
export function useSideways(
  scroller: RefObject<HTMLElement | null>,
  { at, zoom }: { readonly at: number | undefined; readonly zoom: number },
): void {
  useEffect(() => {
    const element = scroller.current
    const track = element?.querySelector<HTMLElement>('[data-part="axis"] > [data-part="track"]')
    if (!element || !track || at === undefined || zoom === 1) return
    const seen = element.clientWidth - (element.scrollWidth - track.clientWidth)
    const place = at * track.clientWidth
    const { scrollLeft } = element
    if (place < scrollLeft || place > scrollLeft + seen * 0.9) element.scrollLeft = place - seen / 3
  }, [scroller, at, zoom])
}
