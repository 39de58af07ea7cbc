/** The files of the page that a service worker stores. */
export interface Precached {
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
