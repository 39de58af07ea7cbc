import { tabTo, untilTakesKeys } from '@interleave/test-kit/tabTo'
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest'
import { enginesOf } from '../../../scripts/find-engines.mjs'
import type { Engine, EngineName, EngineOptions, EnginePage } from '../driver/Engine.ts'
import { openEngine } from '../driver/openEngine.ts'
import { type Entry, openWorld, type World } from './openWorld.ts'

/** Tells stories in each engine, in a browser that they share. */
export function inEachEngine(
  tell: (engine: () => Engine, name: EngineName) => void,
  options: EngineOptions & { readonly only?: readonly EngineName[] } = {},
): void {
  const { only = ['chromium', 'firefox', 'webkit'], ...settings } = options
  const names = enginesOf(process.env).filter((name) => only.includes(name))
  describe.each(names)('%s', (name) => {
    let engine: Engine
    beforeAll(async () => {
      engine = await openEngine(name, settings)
    })
    afterAll(() => engine.close())
    tell(() => engine, name)
  })
}

/** A world of its own, which closes with the test: its address makes the storage of its pages empty. */
export async function useWorld(): Promise<World> {
  const world = await openWorld()
  onTestFinished(() => world.close())
  return world
}

export const addressOf = (world: World, place: string, run = ''): string => `${world.url}/?place=${place}${run}`

/** Types a message, as a user does. */
export async function say(page: EnginePage, message: string): Promise<void> {
  await page.click('textbox', /Message/)
  await page.type(message)
  await page.press('Enter')
}

/** Returns the end of the address: the id of the page's run. */
export async function runOf(page: EnginePage): Promise<string> {
  await page.until(() => location.hash.length > 1)
  return page.evaluate(() => location.hash)
}

/** Waits for a dialog that takes keys. */
export async function untilAsked(page: EnginePage, prompt: string | RegExp): Promise<void> {
  await page.find('dialog', prompt)
  await untilTakesKeys(page)
}

/** Moves the focus to what has this name, by Tab alone. */
export const tabIn = (page: EnginePage, name: string | RegExp): Promise<void> =>
  tabTo({ keyboard: page, frames: () => [page] }, name)

/** What happened, without the keys. */
export const namesIn = (ledger: readonly Entry[]): readonly string[] => ledger.map(({ name }) => name)

/** The run has ended in the page, which shows what the journal has. */
export async function expectDone(page: EnginePage, message: string): Promise<void> {
  await page.see(`Done: ${message}.`)
  await page.until(() => globalThis.told.state().signal === 'answer')
  expect(
    await page.evaluate(() => [
      document.querySelectorAll('dialog[open]').length,
      document.querySelector('output')?.textContent,
    ]),
  ).toEqual([0, `Done: ${message}.`])
}

/** What the page shows is what its journal has, for runs that are kept in the browser. */
export async function expectLogged(page: EnginePage): Promise<void> {
  await page.until(async () => {
    const { told } = globalThis
    return (await told.logged(location.hash.slice(1))) === told.state().seq
  })
}

/** Another page shows the run at work. */
export const untilWorking = (page: EnginePage): Promise<void> => page.until(() => globalThis.told.isWorking())
