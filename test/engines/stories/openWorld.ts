import path from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { type Listening, listen } from '@interleave/test-kit/listen'
import { bundlePages } from '../../processes/bundlePages.ts'

/** An effect that the world has seen. */
export interface Entry {
  readonly name: string
  readonly key: string
}

/** A server of pages, and a ledger of what their tools did, which no page can lose. */
export interface World {
  readonly url: string
  readonly ledger: readonly Entry[]
  /** The page, with all that it needs inside. */
  readonly html: string
  /** Leaves effects of this name without an answer, until they are released. */
  hold(name: string): void
  release(): void
  close(): Promise<void>
}

let bundling: Promise<ReadonlyMap<string, string>> | undefined

export async function openWorld(): Promise<World> {
  bundling ??= bundlePage()
  const files = await bundling
  const ledger: Entry[] = []
  let held: string | undefined
  let waiting: (() => void)[] = []
  const release = (): void => {
    held = undefined
    for (const answer of waiting) answer()
    waiting = []
  }
  const server: Listening = await listen(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost')
    response.setHeader('access-control-allow-origin', '*')
    if (request.method === 'POST') {
      const entry = JSON.parse(await textOf(request)) as Entry
      ledger.push(entry)
      if (entry.name === held) await new Promise<void>((resolve) => waiting.push(resolve))
      return response.end(`${entry.name} is done`)
    }
    const file = files.get(pathname)
    response.setHeader('content-type', file ? 'text/javascript' : 'text/html')
    response.end(file ?? (pathname === '/other' ? '<!doctype html><title>Other</title><p>Another page' : html))
  })
  const html = pageOf(files)
  return {
    url: server.url,
    ledger,
    html,
    hold: (name) => {
      held = name
    },
    release,
    async close() {
      release()
      await server.close()
    },
  }
}

const pageOf = (files: ReadonlyMap<string, string>): string =>
  `<!doctype html><html lang="en"><title>Story</title><style>${files.get('/page.css')}</style><body><script type="module">${files
    .get('/page.js')
    ?.replaceAll('</script', '<\\/script')}</script>`

const bundlePage = (): Promise<ReadonlyMap<string, string>> =>
  bundlePages(path.join(import.meta.dirname, '../page'), ['page.tsx', 'worker.ts'], {
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
