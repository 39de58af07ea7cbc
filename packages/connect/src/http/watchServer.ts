import type { Host } from '@interleave/core'
import { pause } from '../wait.ts'

/** Milliseconds between two reads. */
const betweenMs = 2_000

export interface WatchOptions {
  readonly host: Pick<Host, 'timer'>
  /** Reads the watched data. */
  read(signal: AbortSignal): Promise<unknown>
  /** Called when the data looks different. */
  readonly tell: () => void
}

/** Reads from a server again and again while the page is visible. Returns a function that ends this. */
export function watchServer({ host, read, tell }: WatchOptions): () => void {
  const end = new AbortController()
  const { signal } = end
  const look = async (): Promise<void> => {
    for (let known: string | undefined; !signal.aborted; await pause(host, betweenMs, signal)) {
      if (isHidden()) continue
      try {
        const now = JSON.stringify(await read(signal))
        // The first time too, since the data may have been read before.
        if (now !== known && !signal.aborted) tell()
        known = now
      } catch {
        // The code that reads the data itself receives the error.
      }
    }
  }
  void look()
  return () => end.abort()
}

function isHidden(): boolean {
  const { document } = globalThis as { readonly document?: { readonly visibilityState: string } }
  return document?.visibilityState === 'hidden'
}
