import { reportLater } from '@interleave/core/internal'

/** Calls back once, when the page can draw next. Returns a function that cancels it. */
export type Frame = (callback: () => void) => () => void

const hiddenMs = 100

interface Due {
  readonly callback: () => void
}
/** Updates that are due in any run of this page. They are delivered together, so React renders once. */
const due = new Set<Due>()
let stopWaiting: (() => void) | undefined

/** Calls back at the next animation frame. A hidden page has none, so a timer takes over. */
export const nextFrame: Frame = (callback) => {
  const entry: Due = { callback }
  due.add(entry)
  stopWaiting ??= awaitFrame(deliver)
  return () => {
    due.delete(entry)
    if (due.size > 0) return
    stopWaiting?.()
    stopWaiting = undefined
  }
}

function deliver(): void {
  stopWaiting = undefined
  // Callbacks may cancel others, and new ones wait for their own frame.
  for (const entry of [...due]) if (due.delete(entry)) guarded(entry.callback)
}

function awaitFrame(callback: () => void): () => void {
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

/** Calls a function and reports its exception, so that other work continues. */
export function guarded(callback: () => void): void {
  try {
    callback()
  } catch (error) {
    reportLater(error)
  }
}
