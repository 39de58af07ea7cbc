/** The time that the network may take before the stored page is shown. */
const limitMs = 4_000

interface Ways {
  readonly fetch: (request: Request, init: RequestInit) => Promise<Response>
  readonly kept: () => Promise<Response | undefined>
}

/** Answers a navigation to the page by the network. The stored page is for one that fails or takes too long. */
export async function answerPage(request: Request, { fetch, kept }: Ways): Promise<Response> {
  try {
    return await fetch(request, { signal: AbortSignal.timeout(limitMs) })
  } catch {
    return (await kept()) ?? fetch(request, {})
  }
}
