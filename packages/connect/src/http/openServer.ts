import { assertOption, checkOptions, DEV } from '@interleave/core/internal'
import { pause } from '../wait.ts'
import { anyRun } from './pagePlaces.ts'
import { Server, type ServerOptions } from './server.ts'

/** Validates the options of the function `name`, and returns its server. */
export function openServer(name: string, options: ServerOptions): Server {
  checkOptions(`${name}()`, options, ['url', 'headers', 'fetch', 'host'])
  assertOption(
    typeof options.url === 'string',
    DEV && `${name}({ url }) needs the address of a createHandler(), like "/api".`,
  )
  return new Server(options)
}

/** Milliseconds between two reads: at first, and at most while nothing changes. */
const firstMs = 2_000
const longestMs = 15_000

interface WatchOptions {
  readonly server: Server
  read(signal: AbortSignal): Promise<unknown>
  /** Called when the data has changed. */
  readonly onChange: () => void
}

/**
 * Reads from a server again and again while the page is visible: soon after a run of this browser has new events, and less
 * often while nothing changes. Returns a function that ends this.
 */
export function watchServer({ server, read, onChange }: WatchOptions): () => void {
  const { host, places } = server
  const end = new AbortController()
  const { signal } = end
  let wake = new AbortController()
  let ms = firstMs
  const hurry = (): void => {
    ms = firstMs
  }
  const leave = places.watch(anyRun, {
    onLength: hurry,
    onShown() {
      hurry()
      wake.abort()
    },
  })
  const poll = async (): Promise<void> => {
    for (let known: string | undefined; !signal.aborted; ) {
      wake = new AbortController()
      if (!places.isHidden) {
        try {
          const now = JSON.stringify(await read(signal))
          // The first time too, since the data may have been read before.
          if (now !== known && !signal.aborted) onChange()
          if (now !== known) hurry()
          known = now
        } catch {
          // The code that reads the data itself receives the error.
        }
      }
      // A wait that has begun is not longer than the first one when a run has new events.
      for (let waited = 0; waited < ms && !signal.aborted && !wake.signal.aborted; waited += firstMs) {
        await pause(host, Math.min(firstMs, ms), AbortSignal.any([signal, wake.signal]))
      }
      ms = Math.min(longestMs, ms * 1.5)
    }
  }
  void poll()
  return () => {
    leave()
    end.abort()
  }
}
