interface PageFiles {
  readonly page: Request
  readonly files: Iterable<string>
  readonly fetch: (request: Request) => Promise<Response>
}

/**
 * Stores the page and its files: all of them, or none. A sign-in, or a server that answers each address with the page,
 * gives HTML in place of a file. Once stored, that would be the file for as long as this version lives.
 */
export async function storeFiles(cache: Pick<Cache, 'put'>, { page, files, fetch }: PageFiles): Promise<void> {
  const load = async (request: Request): Promise<readonly [Request, Response]> => {
    const response = await fetch(request)
    if (!isOwn(response, request === page)) throw new Error(`${request.url} was answered with something else.`)
    // A body that is not read holds its connection, of which a browser opens six to a server.
    await response.clone().arrayBuffer()
    return [request, response]
  }
  const loaded = await Promise.all([page, ...[...files].map((file) => new Request(file))].map(load))
  await Promise.all(loaded.map(([request, response]) => cache.put(request, response)))
}

/** A browser shows no page that was redirected when it was stored. */
const isOwn = ({ ok, redirected, headers }: Response, isPage: boolean): boolean =>
  ok && !redirected && isPage === /^text\/html\b/i.test(headers.get('content-type') ?? '')

/** The caches of the page, one for each version of it. */
interface Versions {
  /** The names of all caches there are. */
  readonly names: readonly string[]
  /** The prefix of the page's own caches. */
  readonly prefix: string
  /** The cache of this version. */
  readonly own: string
  /** The windows that are open. */
  readonly open: readonly string[]
  /** The windows that were opened by this version. */
  readonly opened: ReadonlySet<string>
}

/** The caches that no window needs. A page fetches parts of its own version as it goes, so they stay while a window of another one lives. */
export const olderCaches = ({ names, prefix, own, open, opened }: Versions): readonly string[] =>
  open.every((client) => opened.has(client)) ? names.filter((name) => name.startsWith(prefix) && name !== own) : []

/** The time that the network may take before the stored page is shown. */
const limitMs = 4_000

interface Ways {
  readonly fetch: (request: Request, init: RequestInit) => Promise<Response>
  readonly kept: () => Promise<Response | undefined>
  readonly waitMs?: number
}

/** Answers a navigation to the page by the network. The stored page is for one that fails or takes too long. */
export async function answerPage(request: Request, { fetch, kept, waitMs = limitMs }: Ways): Promise<Response> {
  const late = new AbortController()
  // Only until it answers: a later abort would truncate the page.
  const timer = setTimeout(() => late.abort(), waitMs)
  try {
    return await fetch(request, { signal: late.signal })
  } catch {
    return (await kept()) ?? fetch(request, {})
  } finally {
    clearTimeout(timer)
  }
}

/** The files of the page that a service worker stores. */
interface Precached {
  /** The address of the page. */
  readonly scope: string
  /** The addresses of its files. Their names change with what is in them. */
  readonly files: ReadonlySet<string>
}

/** Returns how a request is answered: the page by the network first, its files from the cache, others as usual. */
export function wayOf(
  { url, method, mode }: Pick<Request, 'url' | 'method' | 'mode'>,
  { scope, files }: Precached,
): 'page' | 'file' | undefined {
  if (method !== 'GET') return undefined
  const { origin, pathname } = new URL(url)
  const page = new URL(scope)
  if (mode === 'navigate')
    return origin === page.origin && [page.pathname, `${page.pathname}index.html`].includes(pathname)
      ? 'page'
      : undefined
  // Windows of an older version need files that this one does not have.
  const isOlder = origin === page.origin && pathname.startsWith(`${page.pathname}assets/`)
  return files.has(url) || isOlder ? 'file' : undefined
}
