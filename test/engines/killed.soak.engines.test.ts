import { describe, expect, onTestFinished, test } from 'vitest'
import { enginesOf } from '../../scripts/find-engines.mjs'
import { openEngine } from './driver/openEngine.ts'
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

describe.each(enginesOf(process.env))('%s', (name) => {
  test.each(['look', 'pay'])(
    'another tab continues when the system kills a page in the middle of a call: %s',
    async (call) => {
      const world = await useWorld()
      const engine = await openEngine(name)
      onTestFinished(() => engine.close())
      const first = await engine.open(addressOf(world, 'tabs'))
      world.hold(call)
      await say(first, call)
      await expect.poll(() => namesIn(world.ledger)).toEqual([call])
      const second = await engine.open(addressOf(world, 'tabs', await runOf(first)))
      await untilWorking(second)

      await first.kill()

      const isRepeated = call === 'look'
      // WebKit's driver ends its session with the page, so its second tab is seen by the ledger alone.
      if (isRepeated) await expect.poll(() => namesIn(world.ledger)).toEqual(['look', 'look'])
      world.release()
      if (name !== 'webkit') {
        if (!isRepeated) {
          await untilAsked(second, /pay was interrupted/)
          await second.press('2')
          await second.press('Enter')
        }
        await expectDone(second, call)
        await expectLogged(second)
      }
      expect(namesIn(world.ledger)).toEqual(isRepeated ? ['look', 'look'] : ['pay'])
      expect(new Set(world.ledger.map(({ key }) => key)).size).toBe(1)
    },
  )
})

inEachEngine((engine) => {
  const killWorker = () => globalThis.told.killWorker()

  test('a new worker continues when its worker is killed in the middle of a call', async () => {
    const world = await useWorld()
    const page = await engine().open(addressOf(world, 'worker'))
    world.hold('look')
    await say(page, 'look, name')
    await expect.poll(() => namesIn(world.ledger)).toEqual(['look'])

    await page.evaluate(killWorker)
    await expect.poll(() => namesIn(world.ledger)).toEqual(['look', 'look'])
    world.release()
    await untilAsked(page, 'Your name?')
    await page.type('Ada')
    await page.press('Enter')

    await expectDone(page, 'look, name')
    await expectLogged(page)
    expect(new Set(world.ledger.map(({ key }) => key)).size).toBe(1)
  })

  test('a question can be answered whose worker is killed while it waits', async () => {
    const world = await useWorld()
    const page = await engine().open(addressOf(world, 'worker'))
    await say(page, 'look, name')
    await untilAsked(page, 'Your name?')

    await page.evaluate(killWorker)
    await page.type('Ada')
    await page.press('Enter')

    await expectDone(page, 'look, name')
    await expectLogged(page)
    expect(namesIn(world.ledger)).toEqual(['look'])
  })
})
