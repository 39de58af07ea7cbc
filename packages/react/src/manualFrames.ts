import type { Frame } from './nextFrame.ts'

/** Frames that come when a test says so. */
export function manualFrames(): { readonly frame: Frame; readonly next: () => void; readonly awaited: number } {
  const awaited = new Set<() => void>()
  return {
    frame(callback) {
      awaited.add(callback)
      return () => awaited.delete(callback)
    },
    next() {
      for (const callback of [...awaited]) {
        awaited.delete(callback)
        callback()
      }
    },
    get awaited() {
      return awaited.size
    },
  }
}
