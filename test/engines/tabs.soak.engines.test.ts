import { expect, test } from 'vitest'
import type { EnginePage } from './driver/Engine.ts'
import {
  addressOf,
  expectDone,
  expectLogged,
  inEachEngine,
  namesIn,
  runOf,
  say,
  untilAsked,
  untilWorking,
  useWorld,
} from './stories/tell.ts'

const ends: readonly (readonly [string, (page: EnginePage) => Promise<void>])[] = [
  ['is closed', (page) => page.close()],
  ['is reloaded', (page) => page.reload()],
  [
    'is left',
    async (page) => {
      await page.click('link', 'Leave')
      await page.see('Another page')
    },
  ],
]

inEachEngine((engine) => {
  test.each(ends)('another tab takes a run over whose tab %s in the middle of a call', async (_, end) => {
    const world = await useWorld()
    const first = await engine().open(addressOf(world, 'tabs'))
    world.hold('look')
    await say(first, 'look, name')
    await expect.poll(() => namesIn(world.ledger)).toEqual(['look'])
    const second = await engine().open(addressOf(world, 'tabs', await runOf(first)))
    await untilWorking(second)

    await end(first)
    await expect.poll(() => namesIn(world.ledger)).toEqual(['look', 'look'])
    world.release()
    await untilAsked(second, 'Your name?')
    await second.type('Ada')
    await second.press('Enter')

    await expectDone(second, 'look, name')
    await expectLogged(second)
    expect(namesIn(world.ledger)).toEqual(['look', 'look'])
    expect(new Set(world.ledger.map(({ key }) => key)).size).toBe(1)
  })
})
