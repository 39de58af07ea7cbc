import { describe, expect, test } from 'vitest'
import {
  addressOf,
  expectDone,
  expectLogged,
  inEachEngine,
  namesIn,
  say,
  untilAsked,
  useWorld,
} from './stories/tell.ts'

describe('in private windows', () => {
  inEachEngine(
    (engine) => {
      test.each(['page', 'tabs', 'shared'])('a run outlives a reload: %s', async (place) => {
        const world = await useWorld()
        const page = await engine().open(addressOf(world, place))
        await say(page, 'look, name')
        await untilAsked(page, 'Your name?')

        await page.reload()
        await untilAsked(page, 'Your name?')
        await page.type('Ada')
        await page.press('Enter')

        await expectDone(page, 'look, name')
        await expectLogged(page)
        expect(namesIn(world.ledger)).toEqual(['look'])
      })
    },
    { only: ['firefox'], preferences: { 'browser.privatebrowsing.autostart': true } },
  )
})

describe('with blocked storage', () => {
  inEachEngine(
    (engine) => {
      test.each(['page', 'tabs', 'worker', 'shared'])('a page says that it cannot keep a run: %s', async (place) => {
        const world = await useWorld()
        const page = await engine().open(addressOf(world, place))

        await say(page, 'look')

        await page.find('alert')
        await page.see(/\S/)
        expect(namesIn(world.ledger)).toEqual([])
      })
    },
    // As "Block all cookies" in its settings.
    { only: ['firefox'], preferences: { 'network.cookie.cookieBehavior': 2 } },
  )
})
