import { expect, test } from 'vitest'
import { startServer } from './stories/startServer.ts'
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

  test.each(
    ['worker', 'shared', 'server'].flatMap((place) => ['lookHere', 'payHere'].map((name) => ({ place, name }))),
  )('nor one in the middle of a function of the page, for a run of a $place: $name', async ({ place, name }) => {
    const world = await useWorld()
    const { url } = place === 'server' ? await startServer(world) : world
    const page = await engine().open(addressOf({ ...world, url }, `${place}&world=${world.url}`))
    world.hold(name)

    await say(page, name)
    await expect.poll(() => namesIn(world.ledger)).toEqual([name])
    await page.reload()
    const after = name === 'payHere' ? [name] : [name, name]
    if (name === 'payHere') {
      await untilAsked(page, /payHere was interrupted/)
      await page.press('2')
      await page.press('Enter')
    } else await expect.poll(() => namesIn(world.ledger)).toEqual(after)
    world.release()

    await expectDone(page, name)
    expect(namesIn(world.ledger)).toEqual(after)
    expect(new Set(world.ledger.map(({ key }) => key)).size).toBe(1)
  })
})
