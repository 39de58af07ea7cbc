import type { Host } from '@interleave/core'
import { assertOption, refuseUnknown } from '@interleave/core/internal'
import { pause } from '../wait.ts'
import { Server, type ServerOptions, serverOptions } from './server.ts'

/** Validates the options of the function `name`, and returns its server. */
export function openServer(name: string, options: ServerOptions): Server {
  refuseUnknown(`${name}()`, options, serverOptions)
  assertOption(typeof options.url === 'string', `${name}({ url }) needs the address of a createHandler(), like "/api".`)
  return new Server(options)
}

/** Milliseconds between two reads. */
const betweenMs = 2_000

interface WatchOptions {
  readonly host: Pick<Host, 'timer'>
  read(signal: AbortSignal): Promise<unknown>
  /** Called when the data has changed. */
  readonly onChange: () => void
}

/** Reads from a server again and again while the page is visible. Returns a function that ends this. */
export function watchServer({ host, read, onChange }: WatchOptions): () => void {
  const end = new AbortController()
  const { signal } = end
  const poll = async (): Promise<void> => {
    for (let known: string | undefined; !signal.aborted; await pause(host, betweenMs, signal)) {
      if (isHidden()) continue
      try {
        const now = JSON.stringify(await read(signal))
        // The first time too, since the data may have been read before.
        if (now !== known && !signal.aborted) onChange()
        known = now
      } catch {
        // The code that reads the data itself receives the error.
      }
    }
  }
  void poll()
  return () => end.abort()
}

function isHidden(): boolean {
  const { document } = globalThis as { readonly document?: { readonly visibilityState: string } }
  return document?.visibilityState === 'hidden'
}
