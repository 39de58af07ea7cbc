import { setTimeout as pause } from 'node:timers/promises'
import type { Event } from '@interleave/core'
import { contentOf } from '../engines/driver/contentProcess.ts'
import type { Engine, EnginePage } from '../engines/driver/Engine.ts'
import { clockTrouble, sleepTrouble } from './processTroubles.ts'
import type { ShopPage } from './shopPage.ts'
import { type Trouble, within } from './trouble.ts'

export interface ShopPageOfEngine extends ShopPage {
  /** Returns the log that the browser's own journal has. */
  readKept(id: string): Promise<readonly Event[]>
  readonly troubles: readonly Trouble[]
}

/** Opens the page of the law in a tab of any engine. */
export async function openEnginePage(engine: Engine, url: string): Promise<ShopPageOfEngine> {
  const tab = await engine.open(url)
  /** Loads it, as often as that takes: a front may answer in its place. */
  const load = async (): Promise<void> => {
    for (;;) {
      try {
        await within(tab.goto(url), 5_000)
        return await within(untilOpen(tab), 5_000)
      } catch {
        await pause(200)
      }
    }
  }
  await untilOpen(tab)
  return {
    open: (id, message) =>
      tab.evaluate((run, said) => globalThis.shopPage.open(run, said).then(() => true), id, message),
    show: async (id) =>
      jsonOf(await tab.evaluate(async (run) => JSON.stringify((await globalThis.shopPage.show(run)) ?? null), id)) ??
      undefined,
    reply: (id, ask, value) =>
      tab.evaluate((...given) => globalThis.shopPage.reply(...given).then(() => true), id, ask, value),
    say: (id, text) => tab.evaluate((run, said) => globalThis.shopPage.say(run, said).then(() => true), id, text),
    retry: (id) => tab.evaluate((run) => globalThis.shopPage.retry(run).then(() => true), id),
    reload: load,
    readKept: async (id) =>
      jsonOf(await tab.evaluate(async (run) => JSON.stringify(await globalThis.readKept(run)), id)),
    troubles: [
      sleepTrouble('the process of the page sleeps', () => contentOf(tab, engine.pid)),
      clockTrouble((ms) => tab.evaluate((moved) => globalThis.jumpClock(moved), ms)),
    ],
  }
}

/** Reads what a page wrote: WebDriver BiDi gives an object that is in a result twice only once. */
const jsonOf = (text: string) => JSON.parse(text)

const untilOpen = async (tab: EnginePage): Promise<void> => {
  while (!(await tab.evaluate(() => globalThis.shopPage !== undefined).catch(() => false))) await pause(50)
}
