import type { Page } from './page.ts'

/** The connected pages, the most recently used first. */
export interface PageRoll {
  add(page: Page): void
  /** Marks a page as used: of several, the user is looking at this one. */
  heardOf(page: Page): void
  remove(page: Page): void
  find(fits: (page: Page) => boolean): Page | undefined
  /** Resolves with the page that fits, once there is one. Never, if the wait is given up. */
  coming(fits: (page: Page) => boolean, until: AbortSignal): Promise<Page>
}

export function createPageRoll(): PageRoll {
  let pages: readonly Page[] = []
  const waiting = new Set<() => void>()

  const place = (page: Page): void => {
    pages = [page, ...pages.filter((other) => other !== page)]
    for (const look of [...waiting]) look()
  }
  const roll: PageRoll = {
    add: place,
    heardOf: (page) => pages.includes(page) && place(page),
    remove(page) {
      pages = pages.filter((other) => other !== page)
    },
    find: (fits) => pages.find(fits),
    coming: (fits, until) =>
      new Promise((resolve) => {
        const look = (): void => {
          const page = roll.find(fits)
          if (!page) return
          waiting.delete(look)
          resolve(page)
        }
        waiting.add(look)
        until.addEventListener('abort', () => waiting.delete(look), { once: true })
        look()
      }),
  }
  return roll
}

/**
 * The registry of this worker. Page tools and models are declared before a host is known, and child runs do not know
 * one.
 */
export const pageRoll: PageRoll = createPageRoll()
