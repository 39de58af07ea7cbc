/** Calls back once, at the next moment at which drawing makes sense. Returns what calls it off. */
export type Frame = (callback: () => void) => () => void

const hiddenMs = 100

/**
 * The next animation frame. A hidden page has none, so there a timer takes over; also where the page is hidden while a
 * frame is awaited.
 */
export const nextFrame: Frame = (callback) => {
  const hasFrames = typeof requestAnimationFrame === 'function'
  const cancel = (): void => {
    if (hasFrames) cancelAnimationFrame(request)
    clearTimeout(timer)
  }
  const fire = (): void => {
    cancel()
    callback()
  }
  const tick = (): void => {
    if (hasFrames && !isHidden()) timer = setTimeout(tick, hiddenMs)
    else fire()
  }
  let timer = setTimeout(tick, hiddenMs)
  const request = hasFrames ? requestAnimationFrame(fire) : 0
  return cancel
}

const isHidden = (): boolean => typeof document === 'object' && document.visibilityState === 'hidden'
