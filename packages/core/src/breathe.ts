/** Milliseconds of work after which everything else of the page has its turn. */
const longest = 12
/** Items after which it has its turn wherever the clock stands still while code runs, as on Cloudflare. */
const most = 10_000

/**
 * For loops over what somebody else makes, which may always be ready: called after each item, it gives a promise whenever timers,
 * clicks and other work have waited long enough, and nothing in between. It looks at the clock after so many items.
 */
export function breather(now: () => number, every = 1): () => Promise<void> | undefined {
  let since = now()
  let items = 0
  return () => {
    if (++items % every !== 0 || (items < most && now() - since < longest)) return undefined
    return othersFirst().then(() => {
      since = now()
      items = 0
    })
  }
}

/** A message where there are any, and no timer: browsers hold those back, in tabs that nobody sees for a second each. */
function othersFirst(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof MessageChannel === 'undefined') return void setTimeout(resolve)
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}
