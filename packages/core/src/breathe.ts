/** Milliseconds of work after which everything else of the page has its turn. */
const longest = 12
/** The number of items after which it yields on platforms whose clock stops while code runs, such as Cloudflare. */
const most = 10_000

/**
 * Creates a function that keeps a loop over foreign data from blocking. Call it after each item: it returns a promise
 * if timers, clicks and other work have waited long enough, otherwise undefined. It checks the clock every `every`
 * items.
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

/**
 * Yields with a message if there are message channels, not with a timer: browsers delay timers of hidden tabs by a
 * second.
 */
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
