import { setTimeout as pause } from 'node:timers/promises'
import { type Kill, killPage, openPage, type Place } from './killPage.ts'

export interface KillOptions {
  readonly place: Place
  readonly random: () => number
  /** The longest time that a page has for its work. */
  readonly gapMs: number
  /** The next kill, or none: then the run is left alone. */
  next(): Kill | undefined
}

/** Lets a run come to its end in pages and workers that are killed at any time. */
export async function killRun({ place, random, gapMs, next }: KillOptions): Promise<void> {
  const { ledger } = place
  let page = await openPage(place)
  let lives = 0
  for (;;) {
    // Most die when the run goes on again, and some while it is loaded.
    const isEarly = random() < 0.2
    if (!isEarly) await ledger.until(() => ledger.lives.length > lives || ledger.end !== undefined)
    await pause(random() * gapMs)
    const kill = ledger.end ? undefined : next()
    if (!kill) break
    lives = ledger.lives.length
    page = await killPage(page, kill, place)
  }
  await ledger.until(() => ledger.end !== undefined)
  await page.close()
}
