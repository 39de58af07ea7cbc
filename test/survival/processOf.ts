import type { Page } from 'playwright-core'

/** The process that a page works in: the one that is busy while the page is. */
export async function processOf(page: Page): Promise<number> {
  const browser = page.context().browser()
  if (!browser) throw new Error('The page has no browser.')
  const session = await browser.newBrowserCDPSession()
  const times = async (): Promise<Map<number, number>> => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    return new Map(processInfo.filter(({ type }) => type === 'renderer').map(({ id, cpuTime }) => [id, cpuTime]))
  }
  const before = await times()
  await page.evaluate(() => {
    for (const end = performance.now() + 200; performance.now() < end; );
  })
  const after = await times()
  await session.detach()
  const busy = [...after].map(([id, time]) => ({ id, spent: time - (before.get(id) ?? 0) }))
  return busy.reduce((a, b) => (b.spent > a.spent ? b : a)).id
}
