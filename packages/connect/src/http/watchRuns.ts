import type { Host } from '@interleave/core'
import type { RunSummary } from '@interleave/core/journal'
import { pause } from '../wait.ts'

/** Milliseconds between two looks at a server. */
const betweenMs = 2_000

export interface WatchOptions {
  readonly host: Pick<Host, 'timer'>
  /** The runs that were last written to. A page of them, since one that is deleted may be any. */
  newest(signal: AbortSignal): Promise<readonly RunSummary[]>
  /** The list looks different. */
  readonly tell: () => void
}

/** Reads the newest runs of a server again and again while the page is visible. Returns a function that ends this. */
export function watchRuns({ host, newest, tell }: WatchOptions): () => void {
  const end = new AbortController()
  const { signal } = end
  const look = async (): Promise<void> => {
    for (let known: string | undefined; !signal.aborted; await pause(host, betweenMs, signal)) {
      if (isHidden()) continue
      try {
        const now = JSON.stringify(await newest(signal))
        // The first time too: the list may have been read before.
        if (now !== known && !signal.aborted) tell()
        known = now
      } catch {
        // Whoever reads the list is told what is wrong.
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
