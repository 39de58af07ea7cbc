interface Ways {
  readonly page: Request
  readonly files: Iterable<string>
  readonly fetch: (request: Request) => Promise<Response>
}

/**
 * Stores the page and its files: all of them, or none. A sign-in, or a server that answers each address with the page,
 * gives HTML in place of a file. Once stored, that would be the file for as long as this version lives.
 */
export async function storeFiles(cache: Pick<Cache, 'put'>, { page, files, fetch }: Ways): Promise<void> {
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
