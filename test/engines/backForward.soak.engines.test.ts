import { expect, test } from 'vitest'
import { startServer } from './stories/startServer.ts'
import { addressOf, expectDone, inEachEngine, namesIn, say, untilAsked, useWorld } from './stories/tell.ts'

inEachEngine((engine, name) => {
  test.each(['page', 'tabs', 'worker', 'shared', 'server'])(
    'a page that is left while a question waits works when it is back: %s',
    async (place) => {
      const world = await useWorld()
      const url = place === 'server' ? (await startServer(world)).url : world.url
      const page = await engine().open(addressOf({ ...world, url }, place))

      await say(page, 'look, name')
      await untilAsked(page, 'Your name?')
      await page.press('Escape')
      await page.click('link', 'Leave')
      await page.see('Another page')
      await page.back()
      await page.find('button', /question waiting/)
      const { restored } = await page.evaluate(() => globalThis.told.seen)
      await page.press('Control+.')
      await untilAsked(page, 'Your name?')
      await page.type('Ada')
      await page.press('Enter')
      await expectDone(page, 'look, name')
      await say(page, 'pay')

      await expectDone(page, 'pay')
      expect(namesIn(world.ledger)).toEqual(['look', 'pay'])
      // Firefox, and Chromium with a worker of the page alone, load such a page anew.
      if (place === 'page' && name !== 'firefox') expect(restored).toBe(1)
    },
  )
})
