import { expect, test } from 'vitest'
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

inEachEngine((engine) => {
  test.each([
    { message: 'look', held: 'look', before: ['look'], after: ['look', 'look'] },
    { message: 'draft', held: 'send', before: ['draft', 'send'], after: ['draft', 'send', 'send'] },
    { message: 'pay', held: 'pay', before: ['pay'], after: ['pay'] },
  ])('a reload in the middle of a call doubles nothing: $message', async ({ message, held, before, after }) => {
    const world = await useWorld()
    const page = await engine().open(addressOf(world, 'page'))
    world.hold(held)

    await say(page, message)
    await expect.poll(() => namesIn(world.ledger)).toEqual(before)
    await page.reload()
    if (message === 'pay') {
      await untilAsked(page, /pay was interrupted/)
      await page.press('2')
      await page.press('Enter')
    } else await expect.poll(() => namesIn(world.ledger)).toEqual(after)
    world.release()

    await expectDone(page, message)
    await expectLogged(page)
    expect(namesIn(world.ledger)).toEqual(after)
    expect(new Set(world.ledger.map(({ key }) => key)).size).toBe(1)
  })
})
