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
  // Only until it answers: an abort after that would cut the page off.
  const timer = setTimeout(() => late.abort(), waitMs)
  try {
    return await fetch(request, { signal: late.signal })
  } catch {
    return (await kept()) ?? fetch(request, {})
  } finally {
    clearTimeout(timer)
  }
}
