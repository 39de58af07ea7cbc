import { type RefObject, useEffect, useRef } from 'react'

/** Keeps what scrolls at its end while rows come, if it is there. */
export function useFollow(
  scroller: RefObject<HTMLElement | null>,
  { length, isOn }: { readonly length: number; readonly isOn: boolean },
): void {
  const wasAtEnd = useRef(true)
  useEffect(() => {
    const element = scroller.current
    if (!element || !isOn) return
    const look = (): void => {
      wasAtEnd.current = element.scrollHeight - element.scrollTop - element.clientHeight < 40
    }
    element.addEventListener('scroll', look, { passive: true })
    return () => element.removeEventListener('scroll', look)
  }, [scroller, isOn])
  useEffect(() => {
    const element = scroller.current
    if (element && isOn && wasAtEnd.current && length > 0) element.scrollTop = element.scrollHeight
  }, [scroller, isOn, length])
}
